import { expect, test } from 'vitest';
import { runBaton, type Scene, sessionScene } from './session-scene.js';
import { openPane, READY } from './terminal-pane.js';

async function storedCost(scene: Scene): Promise<string> {
  const { out } = await runBaton(scene, ['runs', '--kind', 'session', '--json']);
  const cost = JSON.parse(out).items[0].metrics.cost_usd;
  expect(cost).toBeGreaterThan(0);
  return `$${cost.toFixed(4)}`;
}

test('what an interrupted task has cost is in what is shown', async () => {
  const scene = await sessionScene();
  const pane = openPane(scene, ['exec', 'hang']);
  await pane.shows('It begins');
  pane.keys('C-c');
  const shown = await pane.shows('left 130');
  expect(shown).toContain(` · ${await storedCost(scene)}`);
});

test('what a summary has cost is in what is shown, and the room that it has made', { timeout: 60_000 }, async () => {
  const scene = await sessionScene({
    turns: [
      { when: { prompt: 'greet' }, steps: [{ text: 'Hello.' }] },
      { when: { prompt: 'Sum up' }, steps: [{ text: 'They have greeted.' }] },
    ],
  });
  const pane = openPane(scene, ['chat']);
  await pane.shows(READY);
  pane.keys('greet me', 'Enter');
  await pane.shows(/of 200,000 tokens · \$[\d.]+\n\n> *$/);
  const before = await storedCost(scene);
  pane.keys('/compact', 'Enter');
  const shown = await pane.shows(/summarised\n {2}\$[\d.]+\n\n> *$/);
  const after = await storedCost(scene);
  expect(after).not.toBe(before);
  expect(shown).toContain(`summarised\n  ${after}\n`);
  pane.keys('/status', 'Enter');
  expect(await pane.shows(/cost +\$/)).toContain(`cost     ${after} in all`);
});
