import type { IncomingHttpHeaders } from 'node:http';
import type { Fault, ModelScenario, Step } from './model-scenario.js';

export type WireName = 'responses' | 'chat' | 'messages';

/** All a request says about where its conversation is. */
export type Conversation = {
  model: string;
  stream: boolean;
  /** Whether figures are wanted at the end of a stream; only the chat wire leaves it open. */
  wantsUsage: boolean;
  prompt: string;
  /** All that people have said in it, oldest first; the prompt is the last. */
  prompts: readonly string[];
  /** Tool results since the last prompt: the step follows from them, so nothing is remembered between requests. */
  results: number;
  /** What the model itself has said before, as the request brings it along. */
  replies: number;
  previousResponseId: string | null;
};

type Json = Record<string, unknown>;

/** Words of a person begin anew; each tool result moves one on. */
type Item = { says: string } | { results: number } | 'reply';

export function readConversation(wire: WireName, body: Json): Conversation {
  const items = wire === 'responses' ? responsesItems(body) : listOf(body.messages).flatMap(MESSAGE_ITEMS[wire]);
  const previous = typeof body.previous_response_id === 'string' ? body.previous_response_id : null;
  const carried = previous === null ? 0 : resultsOf(previous);
  const prompts: string[] = [];
  let [results, replies] = [carried, 0];
  for (const item of items) {
    if (item === 'reply') replies += 1;
    else if ('says' in item) [prompts[prompts.length], results] = [item.says, 0];
    else results += item.results;
  }
  return {
    model: typeof body.model === 'string' ? body.model : 'scripted',
    stream: body.stream === true,
    wantsUsage: wire !== 'chat' || recordOf(body.stream_options).include_usage === true,
    prompt: prompts.at(-1) ?? '',
    prompts,
    results,
    replies,
    previousResponseId: previous,
  };
}

/** An id tells how far its conversation was, so that a follow-up which names it alone can be placed. */
export function responseId(unique: string, conversation: Conversation): string {
  return `resp_${unique}_${conversation.results}`;
}

function resultsOf(id: string): number {
  return Number(/_(\d{1,9})$/.exec(id)?.[1] ?? 0);
}

/** The step to play, or why there is none. A step with several calls is over when all of them have answered. */
export function chooseStep(scenario: ModelScenario, asked: Conversation): Step | { problem: string } {
  const turn = scenario.turns.find(
    ({ when }) => asked.prompt.includes(when?.prompt ?? '') && (when?.model ?? asked.model) === asked.model,
  );
  if (!turn) return { problem: `no turn of the scenario fits the prompt ${JSON.stringify(asked.prompt.slice(0, 80))}` };
  let left = asked.results;
  for (const step of turn.steps) {
    if (left <= 0) return step;
    left -= Math.max(1, step.tool_calls?.length ?? 0);
  }
  return { problem: `the scenario has ${turn.steps.length} steps for this prompt, and all were played` };
}

export function faultOf(step: Step, headers: IncomingHttpHeaders): Fault | undefined {
  const retries = Number(headers['x-stainless-retry-count'] ?? 0);
  return step.fault && retries < (step.fault.retries_below ?? Number.POSITIVE_INFINITY) ? step.fault : undefined;
}

function responsesItems(body: Json): Item[] {
  if (typeof body.input === 'string') return [{ says: body.input }];
  return listOf(body.input).flatMap((item): Item[] => {
    if (typeof item.type === 'string' && item.type.endsWith('_output')) return [{ results: 1 }];
    if (item.role === 'assistant') return ['reply'];
    return item.role === 'user' || isTask(item) ? [{ says: textOf(item.content) }] : [];
  });
}

/** What a model gives a helper of its own to do; other words between them move nothing. */
function isTask({ type, content }: Json): boolean {
  return type === 'agent_message' && textOf(content).startsWith('Message Type: NEW_TASK');
}

const MESSAGE_ITEMS: Record<'chat' | 'messages', (message: Json) => Item[]> = {
  chat: (message) => {
    if (message.role === 'tool') return [{ results: 1 }];
    if (message.role === 'assistant') return ['reply'];
    return message.role === 'user' ? [{ says: textOf(message.content) }] : [];
  },
  // Tool results come in messages of the user, with reminders of the agent beside them.
  messages: (message) => {
    if (message.role === 'assistant') return ['reply'];
    if (message.role !== 'user') return [];
    const results = listOf(message.content).filter(({ type }) => type === 'tool_result').length;
    return results > 0 ? [{ results }] : [{ says: textOf(message.content) }];
  },
};

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  return listOf(content)
    .map(({ text, encrypted_content: hidden }) => [text, hidden].find((words) => typeof words === 'string') ?? '')
    .join('\n');
}

function listOf(value: unknown): Json[] {
  return Array.isArray(value) ? value.map(recordOf) : [];
}

function recordOf(value: unknown): Json {
  return typeof value === 'object' && value !== null ? (value as Json) : {};
}
