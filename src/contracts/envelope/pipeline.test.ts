import { describe, expect, test } from 'vitest';
import { check } from '../shared/contract.js';
import { pipeline } from './pipeline.js';

const first = { name: 'read', output_key: 'text', default_next: 'judge' };
const second = { name: 'judge', output_key: 'verdict', default_next: 'end' };
const judged = (...stages: object[]) => check(pipeline, { name: 'two', stages });

describe('a pipeline', () => {
  test('leads from stage to stage and to the three ends', () => {
    expect(judged(first, second)).toMatchObject({ allow: true });
    const rules = ['read', 'end', 'clarification', 'confirmation'].map((to) => ({ field: 'f', equals: true, to }));
    expect(judged(first, { ...second, rules, error_next: 'read', after: ['read'] })).toMatchObject({ allow: true });
  });

  test.each([
    ['default_next', { default_next: 'nowhere' }],
    ['error_next', { error_next: 'nowhere' }],
    ['a rule', { rules: [{ field: 'f', equals: 1, to: 'nowhere' }] }],
    ['after', { after: ['nowhere'] }],
  ])('is refused when %s names no stage', (_, change) => {
    expect(judged(first, { ...second, ...change })).toMatchObject({
      code: 'SCHEMA_INVALID',
      details: { path: '/stages/1', target: 'nowhere' },
    });
  });

  test('is refused when a stage stands twice', () => {
    expect(judged(first, second, second)).toMatchObject({
      code: 'SCHEMA_INVALID',
      details: { path: '/stages/2/name' },
    });
  });

  test('may require an output under the key that another stage writes', () => {
    expect(judged(first, { ...second, requires: ['text'] })).toMatchObject({ allow: true });
  });

  test('may ask a person and go on from there', () => {
    const ask = (to: string) => ({ ...first, rules: [{ field: 'f', equals: true, to }] });
    expect(judged(ask('clarification'), second)).toMatchObject({ allow: true });
    expect(judged(ask('confirmation'), second)).toMatchObject({ allow: true });
    const intent = { name: 'intent', output_key: 'intent', default_next: 'end' };
    const always = { ...first, default_next: 'clarification' };
    expect(judged(always, intent)).toMatchObject({ allow: true });
    expect(judged({ ...always, default_next: 'confirmation' }, { ...intent, name: 'execution' })).toMatchObject({
      allow: true,
    });
  });

  test('may run stages beside the first one and join them', () => {
    const beside = { name: 'beside', output_key: 'beside', after: [], default_next: 'judge' };
    expect(judged(first, beside, { ...second, after: ['read', 'beside'] })).toMatchObject({ allow: true });
    expect(judged(first, { ...beside, after: ['read', 'read'] }, second)).toMatchObject({ allow: true });
    const late = { name: 'late', output_key: 'late', default_next: 'end' };
    const joined = { ...second, after: ['read', 'late'], rules: [{ field: 'f', equals: 1, to: 'late' }] };
    expect(judged(first, { ...joined, join: 'any' }, late)).toMatchObject({ allow: true });
    expect(judged(first, { ...joined, join: 'all' }, late)).toMatchObject({ allow: false });
  });

  test('may fail into a stage that nothing else leads to', () => {
    const apology = { name: 'apology', output_key: 'apology', default_next: 'end' };
    expect(judged({ ...first, error_next: 'apology' }, second, apology)).toMatchObject({ allow: true });
  });
});

const third = { name: 'extra', output_key: 'extra', default_next: 'end' };
const loop = { ...second, default_next: 'read' };
const either = (to: string) => ({ rules: [{ field: 'f', equals: true, to }] });

const REFUSED: [string, object[], string, { path: string; stages: string[] }][] = [
  [
    'two stages write the same output',
    [first, { ...second, output_key: 'text' }],
    'stages "read" and "judge" both write the output "text"',
    { path: '/stages/1/output_key', stages: ['read', 'judge'] },
  ],
  [
    'a stage requires what nobody writes',
    [first, { ...second, requires: ['read'] }],
    'stage "judge" requires the output "read", which no other stage writes',
    { path: '/stages/1/requires', stages: ['judge'] },
  ],
  [
    'a stage requires what only it writes',
    [first, { ...second, requires: ['verdict'] }],
    'stage "judge" requires the output "verdict", which no other stage writes',
    { path: '/stages/1/requires', stages: ['judge'] },
  ],
  [
    'a stage comes after what is no stage',
    [first, { ...second, after: ['end'] }],
    'stage "judge" names "end", which is no stage',
    { path: '/stages/1', stages: ['judge'] },
  ],
  [
    'the first stage comes after another',
    [{ ...first, after: ['judge'] }, second],
    'stage "read" is the first one, but comes after "judge"',
    { path: '/stages/0/after', stages: ['read', 'judge'] },
  ],
  [
    'a stage comes after itself',
    [first, { ...second, after: ['judge'] }],
    'by their "after", stages wait for each other: judge → judge',
    { path: '/stages/1/after', stages: ['judge'] },
  ],
  [
    'stages wait for each other',
    [first, { ...second, after: ['extra'] }, { ...third, after: ['judge'] }],
    'by their "after", stages wait for each other: judge → extra → judge',
    { path: '/stages/1/after', stages: ['judge', 'extra'] },
  ],
  [
    'nothing leads to a stage',
    [first, second, third],
    'stage "extra" can never begin',
    { path: '/stages/2', stages: ['extra'] },
  ],
  [
    'nothing leads to a loop beside the way',
    [
      first,
      second,
      { ...third, ...either('more') },
      { ...third, name: 'more', output_key: 'more', default_next: 'extra' },
    ],
    'the stages "extra", "more" can never begin',
    { path: '/stages/2', stages: ['extra', 'more'] },
  ],
  [
    'a stage waits for what only it leads to',
    [first, { ...second, after: ['extra'], default_next: 'extra' }, third],
    'the stages "judge", "extra" can never begin',
    { path: '/stages/1', stages: ['judge', 'extra'] },
  ],
  [
    'a loop has no way out',
    [first, loop],
    'read → judge → read never leads to end',
    { path: '/stages/0', stages: ['read', 'judge'] },
  ],
  [
    'only a failure leads out of a loop',
    [first, { ...loop, error_next: 'end' }],
    'read → judge → read never leads to end',
    { path: '/stages/0', stages: ['read', 'judge'] },
  ],
  [
    'the way leads into a loop without a way out',
    [first, { ...second, default_next: 'extra' }, { ...third, default_next: 'judge', ...either('extra') }],
    'judge → extra → judge never leads to end',
    { path: '/stages/0', stages: ['judge', 'extra'] },
  ],
  [
    'a stage asks for ever',
    [{ ...first, default_next: 'clarification' }],
    'read → clarification → read never leads to end',
    { path: '/stages/0', stages: ['read'] },
  ],
  [
    'what is confirmed leads nowhere',
    [{ ...first, default_next: 'confirmation' }],
    'read → confirmation → read never leads to end',
    { path: '/stages/0', stages: ['read'] },
  ],
];

describe('a pipeline is refused when', () => {
  test.each(REFUSED)('%s', (_, stages, reason, details) => {
    const verdict = judged(...stages);
    expect(verdict).toMatchObject({ allow: false, code: 'SCHEMA_INVALID', reason });
    expect(verdict.details).toMatchObject(details);
  });
});

test('a pipeline of hundreds of stages is judged without going round in circles, one that fits into no event is refused', () => {
  const chain = Array.from({ length: 900 }, (_, index) => ({
    name: `s${index}`,
    output_key: `s${index}`,
    default_next: index === 899 ? 'end' : `s${index + 1}`,
  }));
  expect(judged(...chain)).toMatchObject({ allow: true });
  expect(judged(...chain.slice(0, -1), { ...chain[899], default_next: 's0' })).toMatchObject({ allow: false });
  const tools = Array.from({ length: 1_000 }, (_, index) => `a_tool_with_a_name_${index}`);
  expect(judged(first, { ...second, tools })).toMatchObject({ code: 'SCHEMA_INVALID', details: { path: '/stages' } });
});
