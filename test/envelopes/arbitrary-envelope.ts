import fc from 'fast-check';
import { readJson } from '../../src/contracts/index.js';

type Fields = Record<string, fc.Arbitrary<unknown>>;

const hex16 = fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 16, maxLength: 16 });
const idOf = (prefix: string) => hex16.map((hex) => `${prefix}_${hex}`);

/** Any text JSON can hold: empty, unicode beyond the first plane, quotes and line breaks. */
const text = fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom('', ' ', '"\\\n\t', 'Grüße 🚀 漢字', '\u2028'));
const count = fc.oneof(fc.nat(50), fc.constantFrom(0, Number.MAX_SAFE_INTEGER));
const bound = fc.oneof(fc.integer({ min: 1, max: 50 }), fc.constant(Number.MAX_SAFE_INTEGER));
const texts = fc.array(text, { maxLength: 3 });

/** As Python and Go write them: UTC or an offset, with up to nine digits below the second. */
const time = fc
  .tuple(
    fc.date({ min: new Date('1990-01-01'), max: new Date('2090-01-01'), noInvalidDate: true }),
    fc.constantFrom('', '.1', '.123456', '.000001', '.123456789'),
    fc.constantFrom('Z', '+00:00', '-07:30', '+14:00'),
  )
  .map(([date, fraction, offset]) => `${date.toISOString().slice(0, 19)}${fraction}${offset}`);

/** What no schema looks into: any JSON at all. There and back once, since JSON has no minus zero. */
const anything = fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.parse(JSON.stringify(value)) as unknown);
/** Names no field of the contract has, so that it stays an unknown field. */
const unknownName = fc
  .oneof(text, fc.constantFrom('x_trace', 'toString', '0', 'processing_history'))
  .map((name) => `${name}~`);
const unknownFields = fc.dictionary(unknownName, anything, { maxKeys: 3 });
const anyObject = fc.dictionary(fc.oneof(unknownName, fc.constantFrom('confidence', 'goals', 'nested')), anything, {
  maxKeys: 4,
});

const goalStatus = fc.dictionary(text, fc.constantFrom('pending', 'satisfied', 'failed'), { maxKeys: 3 });
const outputName = fc.oneof(
  fc.constantFrom('perception', 'intent', 'plan', 'execution', 'critic', 'integration'),
  unknownName,
);

const core: Fields = {
  envelope_id: idOf('env'),
  request_id: idOf('req'),
  session_id: idOf('sess'),
  raw_input: text,
  outputs: fc.dictionary(outputName, anyObject, { maxKeys: 4 }),
  current_stage: fc.oneof(fc.constantFrom('start', 'intent', 'end', ''), text),
  terminated: fc.boolean(),
};

/** Lists and objects, which other languages send as null when they are empty. */
const lists: Fields = {
  stage_order: texts,
  all_goals: texts,
  remaining_goals: texts,
  prior_plans: fc.array(anyObject, { maxLength: 2 }),
  critic_feedback: texts,
  errors: fc.array(anyObject, { maxLength: 2 }),
  metadata: anyObject,
};

const optional: Fields = {
  user_id: text,
  received_at: time,
  iteration: count,
  max_iterations: bound,
  terminal_reason: fc.constantFrom(null, 'completed_successfully', 'clarification_required', 'denied_by_policy'),
  termination_reason: fc.option(text),
  clarification_pending: fc.boolean(),
  clarification_question: fc.option(text),
  clarification_response: fc.option(text),
  confirmation_pending: fc.boolean(),
  confirmation_id: fc.option(text),
  confirmation_message: fc.option(text),
  confirmation_response: fc.option(fc.boolean()),
  completed_at: fc.option(time),
};

const stage = fc
  .record(
    { stage_number: fc.integer(), satisfied_goals: texts, summary: anyObject, plan_id: fc.option(text) },
    { requiredKeys: [] },
  )
  .chain((fields) => unknownFields.map((unknown) => ({ ...fields, ...unknown })));

/** What each version of the document added. */
const VERSIONS: Readonly<Record<'1.0' | '1.1' | '1.2', Fields>> = {
  '1.0': {},
  '1.1': {
    completed_stages: fc.option(fc.array(stage, { maxLength: 2 })),
    current_stage_number: bound,
    max_stages: bound,
    goal_completion_status: fc.option(goalStatus),
  },
  '1.2': { llm_call_count: count, max_llm_calls: bound, agent_hop_count: count, max_agent_hops: bound },
};

type EnvelopeChanges = Readonly<Record<string, fc.Arbitrary<unknown>>>;

/** Envelopes as others send them, in every version; `changes` pins fields, so that a test can ask for open ones alone. */
export function arbitraryEnvelope(changes: EnvelopeChanges = {}): fc.Arbitrary<Record<string, unknown>> {
  return fc.constantFrom<keyof typeof VERSIONS>('1.0', '1.1', '1.2').chain((version) => {
    const added = { ...(version !== '1.0' && VERSIONS['1.1']), ...(version === '1.2' && VERSIONS['1.2']) };
    const nullable = Object.fromEntries(Object.entries(lists).map(([name, list]) => [name, fc.option(list)]));
    const fields = { ...core, ...optional, ...nullable, ...added, ...changes };
    const requiredKeys = [...Object.keys(core), ...Object.keys(changes)];
    return fc
      .tuple(fc.record(fields, { requiredKeys }), unknownFields)
      .map(([known, unknown]) => ({ ...known, ...unknown }) as Record<string, unknown>)
      .filter((sent) => 'value' in readJson(JSON.stringify(sent)));
  });
}
