import { expect, test } from 'vitest';
import { EnvelopeStage } from './envelope-stage.js';

const stage = (name: string, default_next: string, more: object = {}) => ({
  ...{ name, output_key: name, default_next, ...more },
});

const bad: readonly [string, object[], string][] = [
  ['a target that is none', [stage('a', 'b')], '"b"'],
  ['a rule to nowhere', [stage('a', 'end', { rules: [{ field: 'f', equals: 1, to: 'c' }] })], '"c"'],
  ['a stage nobody leads to', [stage('a', 'end'), stage('lost', 'end')], '"lost" can never begin'],
  ['a loop without an end', [stage('a', 'b'), stage('b', 'a')], 'never leads to end'],
  ['a stage that waits for itself', [stage('a', 'end'), stage('b', 'end', { after: ['b'] })], 'b → b'],
  ['a stage twice', [stage('a', 'end'), stage('a', 'end')], 'stands twice'],
  ['an output twice', [stage('a', 'b'), stage('b', 'end', { output_key: 'a' })], 'both write'],
];

test('a pipeline that cannot come to an end is refused with the names, from a file and by name', async () => {
  const home = await EnvelopeStage.start();
  const agent = home.bot();
  for (const [name, stages, words] of bad) {
    const pipeline = { name: 'mine', stages };
    const file = home.written('mine.json', pipeline);
    const typed = await home.command(['process', '--pipeline', file, '--agent', agent], home.fresh());
    expect([typed.exit, typed.printed.code], name).toEqual([1, 'SCHEMA_INVALID']);
    expect(typed.printed.reason, name).toContain(words);
    home.pipeline(pipeline as never);
    const { status, given } = await home.process(home.fresh(), { agent, pipeline: 'mine' });
    expect([status, given.code], name).toEqual([422, 'CONFIG_INVALID']);
    expect(given.reason, name).toContain(words);
  }
  expect((await home.get('/runs?kind=envelope')).json.items).toEqual([]);
});
