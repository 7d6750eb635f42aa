/** Who gives an answer: a person or a program by its token; `agent` when the token acts for one. */
type Answering = { name: string; agent: string | null };
/** The run that raised the question: who made it, and who works on it. */
type Raised = { author: string | null; agents: readonly string[] };

/**
 * An agent never judges what its own run asks. A person who made a job may answer for it, unless four eyes are wanted.
 * Undefined when nothing stands against it.
 */
export function ownWorkProblem(
  { name, agent }: Answering,
  { author, agents }: Raised,
  { fourEyes }: { fourEyes: boolean },
): string | undefined {
  if (agent !== null && agents.includes(agent)) return `${agent} works on this run and may not answer for it`;
  if (fourEyes && author === name) return `${name} made this run; approvals.four_eyes wants somebody else to answer`;
  return undefined;
}
