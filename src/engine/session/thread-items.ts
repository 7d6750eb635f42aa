import { CALLS_MAX, callIdOf, isCall, recordOf, sentName } from './model-items.js';

export type Item = Readonly<Record<string, unknown>>;
/** What came of a call, as the model is told. */
export type Output = { callId: string; custom: boolean; text: string; isImage: boolean };

/** Earlier releases kept what this tool brought without a mark. */
const IMAGE_TOOL = 'view_image';
const IMAGE = 'data:image/';
const NOT_DONE = 'This was not done, or what came of it is not known here.';
const TOO_MANY = `This was not done: of one response at most ${CALLS_MAX} calls are taken.`;

/**
 * Puts a thread together as a provider takes it that remembers nothing: each call is followed by exactly one output, and
 * an output whose call is not to be seen becomes words of the user's side.
 */
export class ThreadItems {
  readonly items: Item[] = [];
  /** Calls that wait for their output, oldest first. */
  private open: { callId: string; custom: boolean; tool: unknown; isLeftOut: boolean }[] = [];

  say(items: readonly unknown[]): void {
    this.closeCalls();
    for (const item of items) this.items.push(recordOf(item));
  }

  answer(output: Output): void {
    const { callId, text } = output;
    const place = this.open.findIndex((call) => call.callId === callId);
    const [call] = place === -1 ? [] : this.open.splice(place, 1);
    const isImage = output.isImage || (call?.tool === IMAGE_TOOL && text.startsWith(IMAGE));
    this.items.push(call ? outputItem({ ...output, isImage }) : orphan(output));
  }

  /** A response of the model. `isKept`: the provider has it, and only its calls matter here. */
  respond(output: readonly unknown[], { isKept = false } = {}): void {
    this.closeCalls();
    let calls = 0;
    for (const [index, given] of output.entries()) {
      const item = recordOf(given);
      if (isCall(item)) {
        calls += 1;
        const custom = item.type === 'custom_tool_call';
        this.open.push({ callId: callIdOf(item, index), custom, tool: item.name, isLeftOut: calls > CALLS_MAX });
      }
      const sent = isKept ? undefined : sentItem(item, index);
      if (sent) this.items.push(sent);
    }
  }

  /** Outputs come before anything else that is said after a response. */
  closeCalls(): void {
    const left = this.open;
    this.open = [];
    for (const { callId, custom, isLeftOut } of left) {
      this.items.push(outputItem({ callId, custom, text: isLeftOut ? TOO_MANY : NOT_DONE, isImage: false }));
    }
  }
}

export function userItem(text: string): Item {
  return { type: 'message', role: 'user', content: [{ type: 'input_text', text }] };
}

function outputItem({ callId: call_id, custom, text, isImage }: Output): Item {
  const output = isImage ? [{ type: 'input_image', image_url: text }] : text;
  return { type: custom ? 'custom_tool_call_output' : 'function_call_output', call_id, output };
}

function orphan({ callId, text, isImage }: Output): Item {
  const words = `Output of the call ${callId}, which was made before this:`;
  if (!isImage) return userItem(`${words}\n${text}`);
  const content = [
    { type: 'input_text', text: words },
    { type: 'input_image', image_url: text },
  ];
  return { type: 'message', role: 'user', content };
}

/**
 * What a provider takes back that does not know the item: without names and states of its own, and reasoning only where
 * it is sealed. Kinds that are not known are left out: one of them would have every later request refused.
 */
function sentItem(item: Item, index: number): Item | undefined {
  const { type } = item;
  switch (type) {
    case 'message':
      return sentMessage(item);
    case 'reasoning': {
      const { encrypted_content: sealed, summary } = item;
      // A mask inside means that it is spoilt.
      if (typeof sealed !== 'string' || sealed === '' || sealed.includes('[')) return undefined;
      return { type, summary: Array.isArray(summary) ? summary : [], encrypted_content: sealed };
    }
    case 'function_call': {
      const { namespace } = item;
      const group = typeof namespace === 'string' ? { namespace } : {};
      return { type, call_id: callIdOf(item, index), name: sentName(item), arguments: item.arguments, ...group };
    }
    case 'custom_tool_call':
      return { type, call_id: callIdOf(item, index), name: sentName(item), input: item.input };
    default:
      return undefined;
  }
}

function sentMessage({ content }: Item): Item | undefined {
  const parts = (Array.isArray(content) ? content : []).map(recordOf).flatMap(({ type, text, refusal }): Item[] => {
    if (type === 'output_text' && typeof text === 'string' && text !== '') return [{ type, text }];
    return type === 'refusal' && typeof refusal === 'string' ? [{ type, refusal }] : [];
  });
  return parts.length === 0 ? undefined : { type: 'message', role: 'assistant', content: parts };
}
