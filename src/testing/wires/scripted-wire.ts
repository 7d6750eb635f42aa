import type { Conversation } from '../conversation.js';
import type { Fault, Figures, Step, ToolCall } from '../model-scenario.js';

/** One answer, before it is put into the words of a wire. */
export type Answer = {
  /** Unique for each request. */
  unique: string;
  asked: Conversation;
  step: Step;
  /** What is told about usage, true or not; null when nothing is. */
  report: { readonly [figure in keyof Figures]?: unknown } | null;
  fault?: Fault['kind'];
};

/**
 * An event of a stream. `text` and `reasoning` are what it makes a reader see, for the server's own count; `isLast`: it
 * says that the answer is whole.
 */
export type Piece = { frame: string; text?: string; reasoning?: string; tells?: 'input' | 'all'; isLast?: true };

export interface ScriptedWire {
  pieces(answer: Answer): Iterable<Piece>;
  body(answer: Answer): object;
  errorBody(type: string, message: string): object;
  errorFrame(type: string, message: string): string;
}

const DELTA_CHARS = 24;

/** Characters that need two units stay whole. */
export function deltasOf(text: string, step: Step): string[] {
  const characters = [...text];
  const length = step.delta_chars ?? DELTA_CHARS;
  return Array.from({ length: Math.ceil(characters.length / length) }, (_, index) =>
    characters.slice(index * length, (index + 1) * length).join(''),
  );
}

export function namedFrame(type: string, data: object): string {
  return `event: ${type}\n${plainFrame({ type, ...data })}`;
}

export function plainFrame(data: object): string {
  return `data: ${JSON.stringify(data)}\n\n`;
}

export function argumentsOf(call: ToolCall): string {
  return 'input' in call ? JSON.stringify({ input: call.input }) : JSON.stringify(call.arguments);
}

/** Everything a reader of the whole answer sees. */
export function seenIn(step: Step): { text: string; reasoning: string } {
  const { text = '', reasoning = '', tool_calls = [] } = step;
  return { text: text + tool_calls.map(argumentsOf).join(''), reasoning };
}

/** Clients want it, though it says nothing new. Where a figure is a lie of another type, so is this. */
export function totalOf({ input, output }: NonNullable<Answer['report']>): unknown {
  return typeof input === 'number' && typeof output === 'number' ? input + output : output;
}
