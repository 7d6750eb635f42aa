/** What an orchestrator asks; see contract 001. */
export type BridgeAsk = { request_id: string; agent_name: string; phase_name: string; prompt: string };

export function isBridgeAsk(asked: Readonly<Record<string, unknown>>): boolean {
  return ['request_id', 'agent_name', 'phase_name', 'prompt'].every((field) => typeof asked[field] === 'string');
}

/** The orchestrator has written the whole prompt; what it does not know is that nobody here has hands. */
export function bridgePrompt({ agent_name, phase_name, prompt }: BridgeAsk): { rules: string; task: string } {
  const rules = `You answer as ${agent_name} in the phase ${phase_name} of a program that waits for your answer.
- You open no files and run no commands: go by what is given here alone.
- Your whole answer is handed to the program as it is: no greeting, no text around it, no Markdown fence, unless it is asked for.`;
  return { rules, task: prompt };
}
