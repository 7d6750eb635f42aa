import { expect, test } from 'vitest';
import { EnvelopeStage, type Given, type Sent } from './envelope-stage.js';

const ASKS = [
  { when: { stage: 'intent' }, answer: { intent: 'q', goals: ['g'], clarification_needed: true }, times: 1 },
  { when: { stage: 'perception' }, answer: { normalized_input: 'x' } },
];
const DAY_AND_HOUR_MS = 25 * 3_600_000;

/** An envelope that waits for a clarification, and what it is sent back with. */
async function asking(name?: string): Promise<{ stage: EnvelopeStage; asked: Given; send: Send }> {
  const stage = await EnvelopeStage.start();
  const agent = name ?? stage.bot(ASKS);
  if (name) await stage.post('/agents', { id: name, adapter: 'scripted', file: stage.bot(ASKS).replace('scripted:', '') });
  const send: Send = async (envelope, token) => {
    const { status, given } = await stage.process(envelope, { agent }, token === undefined ? {} : { token });
    return { status, given };
  };
  const { given: asked } = await send(stage.fresh());
  expect(asked).toMatchObject({ clarification_pending: true, terminal_reason: 'clarification_required' });
  return { stage, asked, send };
}
type Send = (envelope: Sent, token?: string) => Promise<{ status: number; given: Given }>;

test('without an answer it waits on as it is: exit 3, and nothing is written [R278]', async () => {
  const stage = new EnvelopeStage();
  const words = ['process', '--agent', stage.bot(ASKS)];
  const first = await stage.command(words, stage.fresh());
  const before = (await stage.json('events')).printed;
  const again = await stage.command(words, first.printed);
  expect([first.exit, again.exit]).toEqual([3, 3]);
  expect(again.printed).toEqual(first.printed);
  expect((await stage.json('events')).printed).toEqual(before);
});

const wrong: readonly [string, (asked: Given) => Sent, number, string][] = [
  ['another user', (asked) => ({ ...asked, user_id: 'bob', clarification_response: 'x' }), 422, 'ENVELOPE_MISMATCH'],
  ['nobody', ({ user_id: _, ...asked }) => ({ ...asked, clarification_response: 'x' }), 422, 'ENVELOPE_MISMATCH'],
  ['another session', (asked) => ({ ...asked, session_id: 'sess_ffffffffffffffff' }), 422, 'ENVELOPE_MISMATCH'],
  ['the question cleared', (asked) => ({ ...asked, clarification_pending: false }), 409, 'INVALID_TRANSITION'],
  ['it ended by the sender', (asked) => ({ ...asked, terminated: true }), 409, 'INVALID_TRANSITION'],
  ['fewer calls', (asked) => ({ ...asked, llm_call_count: 0 }), 409, 'ENVELOPE_STALE'],
  ['fewer hops', (asked) => ({ ...asked, agent_hop_count: 1 }), 409, 'ENVELOPE_STALE'],
  ['no counter at all', ({ llm_call_count: _, ...asked }) => asked, 409, 'ENVELOPE_STALE'],
];

test('what is sent back wrongly is refused with its code, and the question stays [R278] [R288]', async () => {
  const { stage, asked, send } = await asking();
  const before = await stage.eventsOf(asked.envelope_id);
  for (const [name, change, status, code] of wrong) {
    const answer = await send(change(asked));
    expect([answer.status, answer.given.code], name).toEqual([status, code]);
  }
  expect(await stage.eventsOf(asked.envelope_id)).toEqual(before);
  const answered = await send({ ...asked, clarification_response: 'The first.' });
  expect(answered.given).toMatchObject({ terminal_reason: 'completed_successfully', terminated: true });

  // What has ended is over, and says so again; nobody asks any more.
  expect((await send(answered.given)).given).toEqual(answered.given);
  const over: readonly [string, Sent, number, string][] = [
    ['again', { ...answered.given, terminated: false }, 409, 'INVALID_TRANSITION'],
    ['an answer to nothing', { ...answered.given, confirmation_response: true }, 422, 'ENVELOPE_MISMATCH'],
    ['another answer', { ...answered.given, clarification_response: 'No, the second.' }, 422, 'ENVELOPE_MISMATCH'],
    ['a question of its own', { ...answered.given, terminated: false, confirmation_pending: true }, 409, 'INVALID_TRANSITION'],
  ];
  for (const [name, envelope, status, code] of over) {
    const answer = await send(envelope);
    expect([answer.status, answer.given.code], name).toEqual([status, code]);
  }
});

test('who works on an envelope does not answer its questions; roles hold', async () => {
  const { stage, asked, send } = await asking('worker');
  const own = await stage.tokenOf('orchestrator', 'own', 'worker');
  const answer = { ...asked, clarification_response: 'I know it myself.' };
  expect(await send(answer, own)).toMatchObject({ status: 403, given: { code: 'FORBIDDEN', error: true } });
  for (const role of ['viewer', 'worker'] as const) {
    const token = await stage.tokenOf(role, `a-${role}`);
    expect([role, (await send(stage.fresh(), token)).status]).toEqual([role, 403]);
  }
  const other = await stage.tokenOf('orchestrator', 'somebody');
  expect((await send(stage.fresh(), other)).status).toBe(200);
  expect((await send(answer, other)).given).toMatchObject({ terminal_reason: 'completed_successfully' });
});

test('after a day nobody is waited for: the answer comes too late, and the envelope has ended [R278]', async () => {
  const stage = new EnvelopeStage();
  const words = ['process', '--agent', stage.bot(ASKS)];
  const { printed: asked } = await stage.command(words, stage.fresh());
  const later = stage.written('later.cjs', `const now = Date.now; Date.now = () => now() + ${DAY_AND_HOUR_MS};`);
  stage.extra = { NODE_OPTIONS: `--require ${later}` };
  const late = await stage.command(words, { ...asked, clarification_response: 'The first.' });
  expect([late.exit, late.printed.code]).toEqual([1, 'INTERRUPT_EXPIRED']);
  const over = await stage.command(words, asked);
  expect(over.printed).toMatchObject({ terminated: true, terminal_reason: 'clarification_required' });
  expect(over.printed.clarification_response).toBeNull();
});

test('two who send the same at once share one run and get the same', async () => {
  const stage = await EnvelopeStage.start();
  const agent = stage.bot([{ when: { stage: 'perception' }, answer: { normalized_input: 'x' }, delay_ms: 200 }]);
  const envelope = stage.fresh();
  const typed = stage.command(['process', '--agent', agent], envelope);
  const sent = await Promise.all([1, 2, 3].map(() => stage.process(envelope, { agent })));
  const given = [(await typed).printed, ...sent.map((one) => one.given)];
  expect(new Set(given.map((one) => JSON.stringify(one))).size).toBe(1);
  expect(given[0]).toMatchObject({ terminal_reason: 'completed_successfully', agent_hop_count: 6, llm_call_count: 5 });
  const stages = (await stage.eventsOf(String(envelope.envelope_id))).filter(({ type }) => type === 'StagesStarted');
  expect(stages).toHaveLength(6);
});
