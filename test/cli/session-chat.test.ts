import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { runBaton, sessionScene } from './session-scene.js';
import { openPane, READY } from './terminal-pane.js';

test('[R512] a person talks, allows a command and changes, interrupts, and leaves', { timeout: 90_000 }, async () => {
  const scene = await sessionScene();
  const pane = openPane(scene, ['chat', '--approval-policy', 'untrusted']);
  await pane.shows(READY);
  pane.keys('greet me', 'Enter');
  await pane.shows(/Hello, this is\nmy answer\.\n[\s\S]*\n> *$/);
  pane.keys('outside, please', 'Enter');
  const asked = await pane.shows('x no, stop the task');
  expect(asked).toMatch(/touch made\n +folder +\S*\n? *.*\n? +where +outside of the sandbox/);
  expect(existsSync(path.join(scene.folder, 'made'))).toBe(false);
  pane.keys('a', 'Enter');
  await pane.shows(/\$ touch made \(outside of the sandbox\) {3}✓ exit 0[\s\S]*That was it\.[\s\S]*\n> *$/);
  expect(existsSync(path.join(scene.folder, 'made'))).toBe(true);
  pane.keys('write it', 'Enter');
  expect(await pane.shows('v all of it')).toMatch(
    /◦ Write a greeting[\s\S]*A hello\.txt {3}\+2 -0\n +\+hello\n +\+again\n/,
  );
  pane.keys('d', 'Enter');
  await pane.shows(/denied by kim[\s\S]*It is written\.[\s\S]*\n> *$/);
  pane.keys('hang now', 'Enter');
  await pane.shows('It begins');
  pane.keys('C-c');
  await pane.shows(/Interrupting\.[\s\S]*Interrupted\. What was done so far is kept\.\n> *$/);
  pane.keys('/quit', 'Enter');
  await pane.shows(/go on: baton chat --resume parcel-\w+\nleft 0/);
});

test('going to a new session ends what runs in this one; what was said before cannot touch the terminal', async () => {
  const scene = await sessionScene();
  await runBaton(scene, ['exec', '-'], 'greet \u001b]0;PWNED\u0007 me');
  const pane = openPane(scene, ['chat', '--resume', 'LAST']);
  await pane.shows(READY);
  pane.keys('Up');
  await pane.shows(/> greet \ufffd\]0;PWNED\ufffd me/);
  pane.keys('C-u');
  pane.keys('hang now', 'Enter');
  await pane.shows('It begins');
  pane.keys('/new', 'Enter');
  await expect
    .poll(async () => {
      const { items } = JSON.parse((await runBaton(scene, ['runs', '--kind', 'session', '--json'])).out);
      return items.map(({ status }: { status: string }) => status);
    })
    .toEqual(['idle', 'idle']);
});

test('what is typed while a task runs interrupts it, and says so before', { timeout: 60_000 }, async () => {
  const pane = openPane(await sessionScene(), ['chat', 'hang now']);
  await pane.shows('It begins');
  pane.keys('greet me');
  await pane.shows(/what you send now interrupts it[\s\S]*\n> greet me$/);
  pane.keys('Enter');
  await pane.shows(/Interrupted\.[\s\S]*Hello, this is\nmy answer\.[\s\S]*\n> *$/);
});

test('a session is picked from the list and gone on with, its history at hand', { timeout: 60_000 }, async () => {
  const scene = await sessionScene();
  const first = openPane(scene, ['chat', 'greet me']);
  await first.shows(/my answer\.[\s\S]*\n> *$/);
  first.keys('/new', 'Enter');
  await first.shows(/works in[\s\S]*works in[\s\S]*\n> *$/);
  first.keys('/resume', 'Enter');
  await first.shows(/ 1 {2}parcel-\w+ +\d+ s {2}greet me\nnumber >/);
  first.keys('1', 'Enter');
  await first.shows(/goes on in[\s\S]*my answer\.\n[\s\S]*\n> *$/);
  first.keys('Up', 'Up', 'Up');
  await first.shows(/\n> greet me$/);
});

test('who leaves while it is asked finds the question again, and answers it then', { timeout: 60_000 }, async () => {
  const scene = await sessionScene();
  const pane = openPane(scene, ['chat', 'outside, please']);
  await pane.shows('x no, stop the task');
  pane.keys('C-d');
  await pane.shows(/waits for your answer: baton inbox\.[\s\S]*left 0/);
  expect(existsSync(path.join(scene.folder, 'made'))).toBe(false);
  const again = openPane(scene, ['chat', '--resume']);
  await again.shows('x no, stop the task');
  again.keys('a', 'Enter');
  await expect.poll(() => existsSync(path.join(scene.folder, 'made')), { timeout: 30_000 }).toBe(true);
});

test('without colour, narrow, and resized, it stays readable; what the model writes cannot touch it', {
  timeout: 60_000,
}, async () => {
  const pane = openPane(await sessionScene(), ['chat'], { NO_COLOR: '1' });
  await pane.shows(READY);
  pane.resize(30);
  pane.keys('an escape', 'Enter');
  await pane.shows(/red \ufffd\[31m clip \ufffd\]52;c;Zm9v\ufffd\nback \ufffdover\n[\s\S]*\n> *$/);
});

test('a limit that is reached is told with the line that raises it', { timeout: 60_000 }, async () => {
  const pane = openPane(await sessionScene(), ['chat', '--max-tokens', '10', 'look around']);
  const shown = await pane.shows(
    /LIMIT_REACHED[\s\S]*to go on: \/quit, then baton chat --resume parcel-\w+\s+--max-tokens\s+\d+/,
  );
  expect(shown).not.toContain('configure_session');
});
