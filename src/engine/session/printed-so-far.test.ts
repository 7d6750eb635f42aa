import { expect, test } from 'vitest';
import { nodeHasher } from '../../../test/simulation/node-hasher.js';
import { SessionStory, safe } from '../../core/session/session-story.js';
import { createScrub } from '../scrub.js';
import { LiveText } from './live-text.js';
import { printedSoFar } from './printed-so-far.js';

const SEAL = { scrub: createScrub([]), hasher: nodeHasher };

test('what commands had printed is told to people and to the model when they are called off', () => {
  const story = new SessionStory().configure().input().answers(2).judges(safe('call-1'), safe('call-2'));
  const live = new LiveText();
  live.tell({ run: 'r', id: 's2', item: 'call-1', type: 'stdout', text: 'one\n' });
  live.tell({ run: 'r', id: 's2', item: 'call-1', type: 'stdout', text: 'two\n' });
  live.tell({ run: 'r', id: 's2', item: 'call-1', type: 'stderr', text: 'bad\n' });
  const { task } = story.live;
  if (!task) throw new Error('no task');
  const { printed, bodies } = printedSoFar(SEAL, task, live.soFar('r'));
  const text = (ref: { sha256: string } | undefined) =>
    new TextDecoder().decode(bodies.find(({ sha256 }) => sha256 === ref?.sha256)?.bytes);
  expect(Object.keys(printed)).toEqual(['call-1']);
  expect(JSON.parse(text(printed['call-1']?.said))).toEqual({ stdout: 'one\ntwo\n', stderr: 'bad\n' });
  expect(text(printed['call-1']?.output)).toContain('it had printed:\none\ntwo\n\nbad\n');
  const used = { inputTokens: 0, outputTokens: 0, costMicroUsd: 0 };
  story.told({ type: 'Interrupt', sub: 'i', atMs: 2_000, used, printed });
  expect(story.live.pending).toMatchObject([
    { output: printed['call-1']?.output },
    { output: { words: 'The user interrupted this before it had ended.' } },
  ]);
});
