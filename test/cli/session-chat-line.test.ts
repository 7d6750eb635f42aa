import { test } from 'vitest';
import type { ModelScenario } from '../../src/testing/model-scenario.js';
import { sessionScene } from './session-scene.js';
import { openPane, READY } from './terminal-pane.js';

const LONG = { timeout: 60_000 };
const MANY = Array.from({ length: 300 }, (_, index) => `line ${index + 1}`);
const TURNS: ModelScenario['turns'] = [
  { when: { prompt: 'one\n\ttwo\nthree' }, steps: [{ text: 'Three lines came.' }] },
  { when: { prompt: MANY.join('\n') }, steps: [{ text: 'All lines came.' }] },
  { when: { prompt: 'typed\nby hand' }, steps: [{ text: 'Two lines came.' }] },
];

test('a paste is one message that waits for Enter, and comes back whole', LONG, async () => {
  const pane = openPane(await sessionScene({ turns: TURNS }), ['chat']);
  await pane.shows(READY);
  pane.paste('one\n\ttwo\nthree\n');
  await pane.shows(/\n> one\n +two\nthree$/);
  pane.keys('Enter');
  await pane.shows(/Three lines came\.[\s\S]*\n> *$/);
  pane.keys('Up');
  await pane.shows(/Three lines came\.[\s\S]*\n> one\n +two\nthree$/);
  pane.keys('Enter');
  await pane.shows(/Three lines came\.[\s\S]*Three lines came\.[\s\S]*\n> *$/);
});

test('a long paste is folded in the line; what is sent is all of it', LONG, async () => {
  const pane = openPane(await sessionScene({ turns: TURNS }), ['chat']);
  await pane.shows(READY);
  pane.keys('see: ');
  pane.paste(MANY.join('\n'));
  await pane.shows(/\n> see: \[300 lines pasted\]$/);
  pane.keys('BSpace');
  await pane.shows(/\n> see:$/);
  pane.paste(MANY.join('\n'));
  pane.keys('Enter');
  await pane.shows(/All lines came\.[\s\S]*\n> *$/);
  pane.keys('Up', 'Enter');
  await pane.shows(/All lines came\.[\s\S]*All lines came\.[\s\S]*\n> *$/);
});

test('what is pasted can only be read', LONG, async () => {
  const pane = openPane(await sessionScene({ turns: TURNS }), ['chat']);
  await pane.shows(READY);
  pane.paste('greet \u001b]0;PWNED\u0007 me');
  await pane.shows(/\n> \[\d+ characters pasted\]$/);
  pane.keys('Enter');
  await pane.shows(/my answer\.[\s\S]*\n> *$/);
});

test('a line is begun by Alt+Enter, and by a backslash before Enter', LONG, async () => {
  const pane = openPane(await sessionScene({ turns: TURNS }), ['chat']);
  await pane.shows(READY);
  pane.keys('tyed', 'M-Enter', 'by hand', 'C-a', 'Right', 'Right', 'p');
  await pane.shows(/what can be typed\n> typed\nby hand$/);
  pane.keys('Enter');
  await pane.shows(/Two lines came\.[\s\S]*\n> *$/);
  pane.keys('typed\\', 'Enter', 'by hand', 'Enter');
  await pane.shows(/Two lines came\.[\s\S]*Two lines came\.[\s\S]*\n> *$/);
});

test('the terminal is as it was when the chat has been left', LONG, async () => {
  const pane = openPane(await sessionScene(), ['chat']);
  await pane.shows(READY);
  pane.keys('/quit', 'Enter');
  await pane.shows('left 0');
  pane.paste('as it was');
  await pane.shows(/left 0\nas it was$/);
});
