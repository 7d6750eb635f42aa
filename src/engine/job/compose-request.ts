import type { AgentRequest000 } from '../../contracts/generated/types/agent-request-000.js';
import { agentRequest000 } from '../../contracts/job/agent-request-000.js';
import { parseContract } from '../../contracts/shared/contract.js';
import { pathProblem } from '../../contracts/shared/relative-path.js';
import type { Inventory } from '../../core/job/job-deeds.js';
import type { RequestFacts } from '../../core/job/job-effects.js';
import { checksOf, isSupervisor, type Phase } from '../../core/job/job-order.js';
import type { Advice } from '../../core/job/job-state.js';
import { phaseNamed } from '../../core/job/job-state.js';
import type { BodyRef } from '../../core/kernel/effect.js';
import type { Hasher, RunId } from '../ports.js';
import { quotedData } from './quoted-data.js';
import { systemPrompt } from './role-prompts.js';

export type RequestSources = { body(sha256: string): Promise<Uint8Array | undefined>; hasher: Hasher };

const MICRO_USD_PER_CENT = 10_000;
const MS_PER_MINUTE = 60_000;
/** Older advice was most likely followed already. */
const GUIDANCE_MAX = 20;
const CONTEXT_FILES_MAX = 1_000;

/** Contract 000, "Request Structure", in the document's order. The same facts give the same bytes. */
export async function composeJobRequest(run: RunId, facts: RequestFacts, sources: RequestSources): Promise<string> {
  const phase = phaseNamed(facts, facts.phase);
  if (!phase) throw new Error(`${facts.phase} is no phase of this job`);
  const { instructions } = phase;
  const { limits } = facts.order;
  const handedOn = await filesHandedOn(facts, sources);
  const request: AgentRequest000 = {
    job_id: run,
    phase: phase.name,
    context_files: handedOn.slice(0, CONTEXT_FILES_MAX),
    system_prompt: systemPrompt(phase, instructions && (await textOf(instructions, sources))),
    task_description: await taskDescription(facts, phase, sources, handedOn.length),
    metadata: {
      cost_threshold: (limits.costMicroUsd ?? 0) / MICRO_USD_PER_CENT,
      time_threshold_minutes: (limits.activeMs ?? 0) / MS_PER_MINUTE,
      accepted_formats: ['COMPLETED', 'STUCK', 'RETRY'],
      guidance: await guidanceOf(facts, sources),
      x_role: phase.role,
    },
  };
  return JSON.stringify(parseContract(agentRequest000, request));
}

/** Names that lead elsewhere are not passed on, wherever they came from. */
async function filesHandedOn({ handedOn }: RequestFacts, { body }: RequestSources): Promise<string[]> {
  const bytes = handedOn?.whole && (await body(handedOn.whole.sha256));
  const all = bytes && (JSON.parse(new TextDecoder().decode(bytes)) as Inventory);
  const files = all ? all.evidence.map(({ path }) => path) : (handedOn?.files ?? []);
  return [...new Set(files.filter((file) => pathProblem(file) === undefined))];
}

/** The prompt is the user's own and trusted, as checks and patterns are; what a phase handed on is not. */
async function taskDescription(
  facts: RequestFacts,
  phase: Phase,
  sources: RequestSources,
  files: number,
): Promise<string> {
  const { order, handedOn, workspace } = facts;
  const parts = [await textOf(order.prompt, sources)];
  const checks = checksOf(order, phase).map((argv) => JSON.stringify(argv));
  if (checks.length > 0) parts.push(`When you are done these commands are run and must succeed:\n${checks.join('\n')}`);
  if (order.protect.length > 0 && !isSupervisor(phase)) {
    parts.push(`Files that match these patterns are protected; leave them as they are:\n${order.protect.join('\n')}`);
  }
  if (isSupervisor(phase) && workspace.base !== null) parts.push(`The work began at commit ${workspace.base}.`);
  if (handedOn?.summary) {
    const summary = await textOf(handedOn.summary, sources);
    parts.push(quotedData(sources.hasher, `Summary of the phase ${handedOn.phase} by its agent`, summary));
  }
  if (files > CONTEXT_FILES_MAX) {
    parts.push(`Of ${files} files that were handed on the first ${CONTEXT_FILES_MAX} are named in context_files.`);
  }
  return parts.join('\n\n');
}

const INTRODUCTIONS: Readonly<Record<Exclude<Advice['from'], 'steward'>, string>> = {
  agent: 'What came of an earlier try',
  check: 'What the checks of an earlier try printed',
};

async function guidanceOf({ guidance }: RequestFacts, sources: RequestSources): Promise<string[]> {
  const texts = guidance.slice(-GUIDANCE_MAX).map(async (advice) => {
    const text = await textOf(advice, sources);
    return advice.from === 'steward' ? text : quotedData(sources.hasher, INTRODUCTIONS[advice.from], text);
  });
  return Promise.all(texts);
}

/** U+0000 is refused by every reader of ours, so it is not sent either. */
async function textOf({ sha256 }: BodyRef, { body }: RequestSources): Promise<string> {
  const bytes = await body(sha256);
  if (!bytes) throw new Error(`the body ${sha256} is not in the store`);
  return new TextDecoder().decode(bytes).replaceAll('\0', '\ufffd');
}
