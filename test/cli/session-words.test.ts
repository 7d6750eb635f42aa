import { test } from 'vitest';
import { runBaton, sessionScene } from './session-scene.js';
import { openPane, READY } from './terminal-pane.js';

test('whoever joins a session sees what people have said in it, and are saying', { timeout: 60_000 }, async () => {
  const scene = await sessionScene();
  await runBaton(scene, ['exec', 'greet me']);
  const first = openPane(scene, ['chat', '--resume', 'LAST']);
  await first.shows(/> greet me\nHello, this is\nmy answer\.\n {2}\(so far\)\n> *$/);
  const second = openPane(scene, ['chat', '--resume', 'LAST']);
  await second.shows(READY);
  first.keys('look around', 'Enter');
  await second.shows(/\n> look around\nI look\.\n[\s\S]*I have seen it\.\n/);
  // Where it was typed it stands once.
  await first.shows(/\n> look around\nI look\.\n/);
});
