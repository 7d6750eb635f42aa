import type { BodyRef } from '../../core/kernel/effect.js';
import type { TurnReadingFacts } from '../../core/session/session-effects.js';
import type { Said, TokenFigures, TurnReading } from '../../core/session/session-messages.js';
import type { Ports, SealedBody } from '../ports.js';
import { sealJson } from '../seal.js';
import {
  CALLS_MAX,
  callIdOf,
  type Fields,
  isCall,
  keptCall,
  listOf,
  messageText,
  reasoningText,
  recordIn,
  recordOf,
  textOf,
} from './model-items.js';
import { LOCAL_RESPONSE } from './read-thread.js';

/** So many words of one response are shown one by one; all are kept. */
const WORDS_MAX = 50;
const RESPONSE_ID = /^[\x21-\x7e]{1,200}$/;

type Seal = Pick<Ports, 'scrub' | 'hasher'>;
type ReadTurn = { reading: TurnReading; bodies: readonly SealedBody[] };

/** What decisions need of an answer of the model. It never fails: a model may say anything. */
export function readTurn(seal: Seal, facts: TurnReadingFacts, text: string): ReadTurn {
  const answer = recordIn(text);
  if (answer.context_full === true) return { reading: { type: 'context-full' }, bodies: [] };
  if (typeof answer.refused === 'string') {
    return { reading: { type: 'refused', reason: seal.scrub(answer.refused) }, bodies: [] };
  }
  const bodies: SealedBody[] = [];
  const keep = (value: object): BodyRef => {
    const { ref, body } = sealJson(seal, value);
    bodies.push(body);
    return ref;
  };
  const output = listOf(answer.output).map((item, index) => (isCall(item) ? keptCall(item, index, seal.scrub) : item));
  const { said, callsLeftOut } = saidIn(output, facts, keep);
  const reading: TurnReading = {
    ...{
      type: 'response',
      responseId: responseId(answer.response_id, facts),
      output: keep(output),
      said,
      callsLeftOut,
    },
    ...{ figures: figuresOf(recordOf(answer.usage)), isCut: answer.status === 'incomplete' },
    ...(answer.is_kept === true && { isKept: true }),
  };
  return { reading, bodies };
}

/** Where the words of an item are streamed, and later stored, under the same name. */
export function itemName({ turn, attempt }: TurnReadingFacts, index: number): string {
  return `${turn}.${attempt}.${index}`;
}

function saidIn(
  output: readonly Fields[],
  facts: TurnReadingFacts,
  keep: (value: object) => BodyRef,
): { said: Said[]; callsLeftOut: number } {
  const shown = shownIn(output);
  let calls = 0;
  const said = output.flatMap((item, index): Said[] => {
    const itemId = itemName(facts, index);
    if (shown.has(index)) {
      if (item.type === 'message') return [{ type: 'message', itemId, said: keep({ message: messageText(item) }) }];
      return [{ type: 'reasoning', itemId, said: keep({ text: reasoningText(item) }) }];
    }
    if (!isCall(item)) return [];
    calls += 1;
    if (calls > CALLS_MAX) return [];
    const custom = item.type === 'custom_tool_call';
    return [{ type: 'call', callId: callIdOf(item, index), tool: textOf(item.name), custom }];
  });
  return { said, callsLeftOut: Math.max(0, calls - CALLS_MAX) };
}

/** Where words are that are shown: the first ones, and the last, which is what a task ends with. */
function shownIn(output: readonly Fields[]): ReadonlySet<number> {
  const places = output.flatMap((item, index) => {
    const words = item.type === 'message' ? messageText(item) : item.type === 'reasoning' ? reasoningText(item) : '';
    return words === '' ? [] : [index];
  });
  return new Set(places.length <= WORDS_MAX ? places : [...places.slice(0, WORDS_MAX - 1), ...places.slice(-1)]);
}

function responseId(id: unknown, { turn, attempt }: TurnReadingFacts): string {
  const isNamed = typeof id === 'string' && RESPONSE_ID.test(id) && !id.startsWith(LOCAL_RESPONSE);
  return isNamed ? id : `${LOCAL_RESPONSE}${turn}.${attempt}`;
}

function figuresOf(usage: Fields): TokenFigures {
  return {
    input: figure(usage.input_tokens),
    cachedInput: figure(recordOf(usage.input_tokens_details).cached_tokens),
    output: figure(usage.output_tokens),
    reasoning: figure(recordOf(usage.output_tokens_details).reasoning_tokens),
  };
}

function figure(value: unknown): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : 0;
}
