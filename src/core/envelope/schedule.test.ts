import { describe, expect, test } from 'vitest';
import { Played, pipelineOf, stageOf } from '../../../test/envelopes/stage-kit.js';

describe('stages side by side', () => {
  const review = pipelineOf([
    stageOf('prepare', { default_next: 'tests' }),
    stageOf('tests', { after: ['prepare'], default_next: 'verdict' }),
    stageOf('style', { after: ['prepare'], default_next: 'verdict' }),
    stageOf('verdict', { after: ['tests', 'style'], requires: ['tests', 'style'] }),
  ]);
  const begun = (): Played => new Played(review).say({ prepare: {} });

  test('begin together, and whoever comes after all of them waits for all', () => {
    const played = begun();
    expect(played.due).toEqual(['tests', 'style']);
    played.say({ style: {} });
    expect([played.due, played.at.progress.waiting]).toEqual([['tests'], ['verdict']]);
    expect(played.say({ tests: {} }).due).toEqual(['verdict']);
  });

  test('give the same envelope in whichever order they are handed over', () => {
    const both = (reversed: boolean) => {
      const played = begun();
      const ends = [played.output('tests', { a: 1 }), played.output('style', { b: 1 })];
      return played.end(...(reversed ? ends.reverse() : ends)).at;
    };
    expect(both(true)).toEqual(both(false));
  });

  test('that both fail are both due again, and nobody who ran is', () => {
    const played = begun();
    played.end(played.error('tests', { recoverable: true }), played.error('style'));
    expect(played.envelope).toMatchObject({ terminal_reason: 'tool_failed_recoverably', current_stage: 'tests' });
    expect(played.send({ terminated: false })).toBeNull();
    expect(played.due).toEqual(['tests', 'style']);
    expect(played.at.progress.ran).toEqual(['prepare']);
  });

  test('one of which fails leave the others done', () => {
    const played = begun();
    played.end(played.output('tests', {}), played.error('style'));
    expect(played.envelope.current_stage).toBe('style');
    expect(played.send({ terminated: false })).toBeNull();
    expect(played.due).toEqual(['style']);
    expect(played.say({ style: {} }).due).toEqual(['verdict']);
  });
});

describe('stages that wait for others', () => {
  test('begin after any of those they come after, once', () => {
    const any = pipelineOf([
      stageOf('a', { default_next: 'end' }),
      stageOf('b', { after: [] }),
      stageOf('c', { after: ['a', 'b'], join: 'any' }),
    ]);
    const played = new Played(any);
    expect(played.due).toEqual(['a', 'b']);
    expect(played.say({ a: {} }).due).toEqual(['b', 'c']);
    expect(played.say({ b: {}, c: {} }).envelope.terminal_reason).toBe('completed_successfully');
  });

  test('that lead to the same one run it once', () => {
    const diamond = pipelineOf([
      stageOf('a', { default_next: 'last' }),
      stageOf('b', { after: [], default_next: 'last' }),
      stageOf('last'),
    ]);
    const played = new Played(diamond).say({ a: {} });
    expect(played.due).toEqual(['b', 'last']);
    expect(played.say({ last: {} }).say({ b: {} }).envelope.terminal_reason).toBe('completed_successfully');
  });

  test('whose outputs nobody has made end it, with the reason', () => {
    const pipeline = pipelineOf([
      stageOf('a', { default_next: 'c', rules: [{ field: 'b', equals: true, to: 'b' }] }),
      stageOf('b', { default_next: 'c' }),
      stageOf('c', { requires: ['b'] }),
    ]);
    expect(new Played(pipeline).say({ a: {} }).envelope).toMatchObject({
      ...{ terminal_reason: 'tool_failed_fatally', terminated: true, current_stage: 'c' },
      errors: [{ agent: 'c', error_type: 'PipelineError' }],
    });
  });

  test('that are no part of a loop stay done while others go round', () => {
    const pipeline = pipelineOf([
      stageOf('begin', { default_next: 'draft' }),
      stageOf('draft', { default_next: 'check' }),
      stageOf('check', { rules: [{ field: 'ok', equals: false, to: 'draft' }], default_next: 'join' }),
      stageOf('aside', { after: ['begin'] }),
      stageOf('join', { after: ['check', 'aside'] }),
    ]);
    const played = new Played(pipeline).say({ begin: {} }).say({ draft: {}, aside: {} });
    played.say({ check: { ok: false } });
    expect([played.due, played.at.progress.ran]).toEqual([['draft'], ['begin', 'aside']]);
    played.through(['draft', {}], ['check', { ok: true }]);
    expect(played.due).toEqual(['join']);
    expect(played.say({ join: {} }).envelope).toMatchObject({
      terminal_reason: 'completed_successfully',
      iteration: 1,
    });
  });
});
