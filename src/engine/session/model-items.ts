/** Items of a model's output, of which every field may be anything. */

/** More calls of one response are not taken. */
export const CALLS_MAX = 64;

const NAME_CHARS_MAX = 64;
const CALL_ID = /^[\x21-\x7e]{1,100}$/;

export type Fields = Record<string, unknown>;

export function recordOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

/** Nothing when it is no JSON. */
export function recordIn(text: string): Fields {
  try {
    return recordOf(JSON.parse(text));
  } catch {
    return {};
  }
}

export function listOf(value: unknown): Fields[] {
  return Array.isArray(value) ? value.map(recordOf) : [];
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

export function isCall({ type }: Fields): boolean {
  return type === 'function_call' || type === 'custom_tool_call';
}

/** `index`: its place in the output. */
export function callIdOf({ call_id: id }: Fields, index: number): string {
  return typeof id === 'string' && CALL_ID.test(id) ? id : `none-${index}`;
}

/**
 * A call as it is kept: with a name of its own and arguments that are text, whatever the model sent. `is_masked`: a secret
 * in them is not kept, so what is kept is not what the model asked for.
 */
export function keptCall(item: Fields, index: number, scrub: (text: string) => string): Fields {
  const { type, name } = item;
  const field = type === 'custom_tool_call' ? 'input' : 'arguments';
  const given = item[field];
  const words = typeof given === 'string' ? given : given === undefined ? '' : JSON.stringify(given);
  const is_masked = scrub(words) !== words;
  return { ...item, call_id: callIdOf(item, index), name: toolName(name), [field]: words, is_masked };
}

function toolName(name: unknown): string {
  return (
    textOf(name)
      .slice(0, NAME_CHARS_MAX)
      .replace(/[\ud800-\udbff]$/, '') || 'unnamed'
  );
}

/** The name of a tool as every provider takes it back. What was meant is judged by the name that the model gave. */
export function sentName({ name }: Fields): string {
  return toolName(name).replace(/[^A-Za-z0-9_-]/g, '_');
}

/** The words of a message, as they are shown and streamed: its parts one after the other. */
export function messageText({ content }: Fields): string {
  return listOf(content)
    .map(({ type, text, refusal }) => (type === 'refusal' ? textOf(refusal) : textOf(text)))
    .join('');
}

export const REASONING_BREAK = '\n\n';

export function reasoningText({ summary, content }: Fields): string {
  const parts = [summary, content].map((list) => listOf(list).map(({ text }) => textOf(text)));
  return (parts.find((texts) => texts.some((text) => text !== '')) ?? []).join(REASONING_BREAK);
}
