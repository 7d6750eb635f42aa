import { expect, test } from 'vitest';
import { runBaton, sessionScene } from './session-scene.js';
import { openPane } from './terminal-pane.js';

test('at a terminal a running command shows its time and what it prints, also when it is interrupted', async () => {
  const pane = openPane(await sessionScene(), ['exec', 'print']);
  await pane.shows(/^ {2}\$ sh -c 'echo so far; sleep 60' {3}◦ \d+s\n {6}so far$/);
  pane.keys('C-c');
  const left = await pane.shows('left 130');
  expect(left).toContain("  $ sh -c 'echo so far; sleep 60'   ! interrupted\n      so far\nInterrupted.");
  expect(left).not.toContain('◦');
});

test('at a terminal it is seen that the model works; the line is gone when it has answered', async () => {
  const scene = await sessionScene({
    turns: [{ when: { prompt: 'slow' }, steps: [{ text: 'At last.', delay_ms: 2_500 }] }],
  });
  const pane = openPane(scene, ['exec', 'slow']);
  await pane.shows(/^ {2}◦ the model works {3}\d+s$/);
  expect(await pane.shows('left 0')).toMatch(/^At last\.\nparcel-/);
});

test('on a pipe nothing of it is written', async () => {
  const { err } = await runBaton(await sessionScene(), ['exec', 'look around']);
  expect(err).not.toContain('\u001b');
  expect(err).not.toContain('the model works');
});
