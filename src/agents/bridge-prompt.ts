import { quotedByHash } from './cli/quoted.js';

/** What an orchestrator asks; see contract 001. */
export type BridgeAsk = {
  request_id: string;
  agent_name: string;
  phase_name: string;
  prompt: string;
  context?: Readonly<Record<string, unknown>>;
};

export function isBridgeAsk(asked: Readonly<Record<string, unknown>>): boolean {
  return ['request_id', 'agent_name', 'phase_name', 'prompt'].every((field) => typeof asked[field] === 'string');
}

/** The orchestrator has written the whole prompt; what it does not know is that nobody here has hands. */
export function bridgePrompt({ agent_name, phase_name, prompt, context = {} }: BridgeAsk): {
  rules: string;
  task: string;
} {
  const rules = `You answer as ${agent_name} in the phase ${phase_name} of a program that waits for your answer.
- You open no files and run no commands: go by what is given here alone.
- Your whole answer is handed to the program as it is: no greeting, no text around it, no Markdown fence, unless it is asked for.`;
  const isEmpty = Object.keys(context).length === 0;
  const task = isEmpty
    ? prompt
    : `${prompt}\n\n${quotedByHash('What the program says besides', JSON.stringify(context))}`;
  return { rules, task };
}
