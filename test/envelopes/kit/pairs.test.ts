import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { envelope } from '../../../src/contracts/envelope/envelope.js';
import { schemas } from '../../../src/contracts/generated/validators/schemas.js';
import { check } from '../../../src/contracts/shared/contract.js';
import { CASES, KIT, KitHome, pair, pairText } from './kit-case.js';
import { runAsync } from './run-async.js';
import { withStandIns } from './stand-ins.js';

const compare = (...args: string[]) => runAsync('python3', [path.join(KIT, 'compare.py'), ...args], {});
const recorded = CASES.flatMap(({ steps }) => steps);

describe('pairs that other languages test against', () => {
  const home = new KitHome();
  afterAll(() => home.remove());

  test.concurrent.each(CASES)('$name: $about [R289] [R294]', async (one) => {
    const given = await home.run(one);
    const files = given.map(({ step, got }) => [pair(step.gives), home.keep(step.gives, got)]);
    if (process.env.UPDATE_GOLDEN) {
      const first = given[0]?.sent;
      for (const { step, got } of given) {
        writeFileSync(pair(step.gives), `${JSON.stringify(withStandIns(got, first), null, 2)}\n`);
      }
    }
    const { out } = await compare(...files.flat());
    expect(out).toBe('');
    expect(given.map(({ code }) => code)).toEqual(one.steps.map(({ exit }) => exit));
  });
});

test('every file of the kit belongs to a case, and every script and pipeline to one', () => {
  const named = CASES.flatMap(({ steps }) =>
    steps.flatMap((step) => [step.gives, 'send' in step ? step.send : step.change]),
  );
  expect(readdirSync(path.join(KIT, 'pairs')).sort()).toEqual(named.sort());
  for (const folder of ['agents', 'pipelines']) {
    const used = new Set(CASES.flatMap(({ agent, pipeline = '' }) => [agent, pipeline]));
    const there = readdirSync(path.join(KIT, folder)).map((file) => `${folder}/${file}`);
    expect(there.filter((file) => !used.has(file))).toEqual([]);
  }
});

test('what is recorded fits the printed schema, and has every terminal_reason of the document', () => {
  const envelopes = recorded.filter(({ exit }) => exit !== 1).map(({ gives }) => JSON.parse(pairText(gives)));
  for (const one of envelopes) expect(check(envelope, one)).toMatchObject({ allow: true });
  const { properties } = schemas.envelope as { properties: { terminal_reason: { enum: (string | null)[] } } };
  const reasons = new Set(envelopes.map(({ terminal_reason }) => terminal_reason));
  expect([...reasons].sort()).toEqual([...properties.terminal_reason.enum].sort());
});

test.each([
  ['a time that is none', { completed_at: 'today' }, '/completed_at is "today"'],
  ['no time', { completed_at: null }, '/completed_at is null'],
  ['another counter', { llm_call_count: 6 }, '/llm_call_count is 6, not 5'],
  ['a truth for a number', { iteration: false }, '/iteration is false, not 0'],
  ['a field more', { extra: null }, '/extra should not be there'],
  ['an entry less', { stage_order: [] }, '/stage_order has 0 entries, not 6'],
  ['other words', { termination_reason: 'done' }, '/termination_reason is "done"'],
])('compare.py tells %s', async (_, change, said) => {
  const home = new KitHome();
  try {
    const other = home.keep('other.json', { ...JSON.parse(pairText('whole-run.out.json')), ...change });
    const { code, out } = await compare(pair('whole-run.out.json'), other);
    expect([code, out]).toEqual([1, expect.stringContaining(said)]);
    const withoutWords = await compare('--not-words', pair('whole-run.out.json'), other);
    expect(withoutWords.code).toBe('termination_reason' in change ? 0 : 1);
  } finally {
    home.remove();
  }
});
