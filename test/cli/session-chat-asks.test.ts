import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { ModelScenario } from '../../src/testing/model-scenario.js';
import { sessionScene } from './session-scene.js';
import { openPane, READY } from './terminal-pane.js';

const LONG = { timeout: 60_000 };
const WHY = 'Routine step; Baton has already verified that this is safe.';

const outside = (file: string) => ({
  name: 'exec_command',
  arguments: { command: ['touch', file], with_escalated_permissions: true, justification: WHY },
});
const TURNS: ModelScenario['turns'] = [
  {
    when: { prompt: 'both' },
    steps: [{ tool_calls: [outside('one'), outside('two')] }, { text: 'Both were decided.' }],
  },
];
const KEYS = 'x no, stop the task';

test(
  'of two questions the second is shown once the first is answered, and the line names what it is for',
  LONG,
  async () => {
    const scene = await sessionScene({ turns: TURNS });
    const made = (file: string) => existsSync(path.join(scene.folder, file));
    const pane = openPane(scene, ['chat', 'do both']);
    const first = await pane.shows(/\n +touch one\? *$/);
    expect(first).not.toContain('touch two');
    pane.keys('a', 'Enter');
    const second = await pane.shows(/\n +touch two\? *$/);
    expect(second).toMatch(/touch one\? a\n +allowed, once, by kim\n[\s\S]*\? approve command\n +touch two\n/);
    pane.keys('d', 'Enter');
    await pane.shows(/Both were decided\.[\s\S]*\n> *$/);
    expect([made('one'), made('two')]).toEqual([true, false]);
  },
);

test("the model's words in a question are its own, and nothing that Baton says", LONG, async () => {
  const pane = openPane(await sessionScene({ turns: TURNS }), ['chat', 'do both']);
  const shown = await pane.shows(KEYS);
  expect(shown).toMatch(
    / asked +it would run outside of the sandbox\n +model +"Routine step; Baton has already [^"]*"\n/,
  );
});

test(
  'a command of the chat leaves the question open: it is shown again, and keys mean what stands there',
  LONG,
  async () => {
    const scene = await sessionScene();
    const pane = openPane(scene, ['chat', 'outside, please']);
    await pane.shows(KEYS);
    pane.keys('/help', 'Enter');
    const again = await pane.shows(/\/status[\s\S]*\? approve command\n +touch made\n[\s\S]*\n +touch made\? *$/);
    expect(again).not.toContain('what you send now interrupts it');
    pane.keys('/nothing', 'Enter');
    await pane.shows(/There is no \/nothing[\s\S]*\? approve command\n[\s\S]*\n +touch made\? *$/);
    pane.keys('a', 'Enter');
    await pane.shows(/touch made\? a\n +allowed, once, by kim\n[\s\S]*That was it\.[\s\S]*\n> *$/);
  },
);

test('a number behind /resume picks a session, also while a question is open', LONG, async () => {
  const scene = await sessionScene();
  const pane = openPane(scene, ['chat', 'greet me']);
  await pane.shows(/my answer\.[\s\S]*\n> *$/);
  pane.keys('/new', 'Enter');
  await pane.shows(/works in[\s\S]*works in[\s\S]*\n> *$/);
  pane.keys('outside, please', 'Enter');
  await pane.shows(KEYS);
  pane.keys('/resume', 'Enter');
  await pane.shows(/ 1 {2}parcel-\w+ +\d+ s {2}greet me\nnumber > *$/);
  pane.keys('Enter');
  await pane.shows(/number >\n[\s\S]*\? approve command\n[\s\S]*\n +touch made\? *$/);
  pane.keys('/resume 1', 'Enter');
  await pane.shows(/goes on in[\s\S]*my answer\.\n[\s\S]*\n> *$/);
  expect(existsSync(path.join(scene.folder, 'made'))).toBe(false);
});

test('/resume lists what was last in use first', LONG, async () => {
  const pane = openPane(await sessionScene(), ['chat', 'greet me']);
  const goTo = async (command: string, count: number): Promise<void> => {
    pane.keys(command, 'Enter');
    await pane.shows(new RegExp(`(?:(?:works|goes on) in[\\s\\S]*){${count}}\\n> *$`));
  };
  await pane.shows(/my answer\.[\s\S]*\n> *$/);
  await goTo('/new', 2);
  pane.keys('look around', 'Enter');
  await pane.shows(/I have seen it\.[\s\S]*\n> *$/);
  await goTo('/resume 1', 3);
  pane.keys('greet again', 'Enter');
  await pane.shows(/> greet again\n[\s\S]*my answer\.[\s\S]*\n> *$/);
  await goTo('/new', 4);
  pane.keys('/resume', 'Enter');
  await pane.shows(/ 1 {2}\S+ +\d+ s {2}greet me\n +2 {2}\S+ +\d+ s {2}look around\nnumber > *$/);
});

test('a decision that was typed is dropped when another terminal answers first', LONG, async () => {
  const scene = await sessionScene();
  const pane = openPane(scene, ['chat', 'outside, please']);
  await pane.shows(KEYS);
  pane.keys('d');
  await pane.shows(/touch made\? d$/);
  const other = openPane({ ...scene, env: { ...scene.env, USER: 'ben' } }, ['chat', '--resume', 'LAST']);
  await other.shows(/\n +touch made\? *$/);
  other.keys('a', 'Enter');
  await pane.shows(/allowed, once, by ben\n +Answered meanwhile by ben: what you had typed is dropped\.\n/);
  await pane.shows(/That was it\.[\s\S]*\n> *$/);
  pane.keys('Enter');
  pane.keys('greet me', 'Enter');
  const shown = await pane.shows(/my answer\.[\s\S]*\n> *$/);
  expect(shown).not.toMatch(/^> d/m);
});

test('no, and why: the words go to the model, and are shown with the answer', LONG, async () => {
  const scene = await sessionScene();
  const pane = openPane(scene, ['chat', 'outside, please']);
  await pane.shows(KEYS);
  pane.keys('Use the  folder', 'Enter');
  await pane.shows(/Type a, s, d or x[\s\S]*\n +touch made\? *$/);
  pane.keys('d Use the  folder.', 'Enter');
  await pane.shows(/denied by kim: "Use the {2}folder\."\n[\s\S]*That was it\.[\s\S]*\n> *$/);
  expect(existsSync(path.join(scene.folder, 'made'))).toBe(false);
});

test('what looks like a path is said to the model, and no command', LONG, async () => {
  const pane = openPane(await sessionScene(), ['chat']);
  await pane.shows(READY);
  pane.keys('/etc/passwd, do you greet it?', 'Enter');
  await pane.shows(/my answer\.[\s\S]*\n> *$/);
});
