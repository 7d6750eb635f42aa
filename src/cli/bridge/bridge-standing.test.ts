import { expect, test } from 'vitest';
import { bridgeStanding, type FolderFacts } from './bridge-standing.js';

const FACTS: FolderFacts = { status: null, holder: null, handlerPid: null, isAsked: false, isAnswered: false };

test.each<[string, Partial<FolderFacts>, string, string | null, string]>([
  ['nothing was ever here', {}, 'none', null, 'baton bridge run -- CMD'],
  ['asked by hand after an earlier run', { status: 'done', isAsked: true }, 'asked', 'you', 'baton bridge respond, or'],
  [
    'its handler was killed in an ask',
    { status: 'asking', isAsked: true },
    'interrupted',
    'you',
    'goes on where it was',
  ],
  ['all were killed', { status: 'running', holder: 'orchestrator' }, 'interrupted', null, 'goes on where it was'],
  ['answered by hand', { status: 'watching', isAnswered: true }, 'answered', 'orchestrator', 'with --resume'],
  ['ended by hand', { status: 'watching' }, 'done', null, 'baton bridge run -- CMD'],
  ['failed', { status: 'failed' }, 'failed', null, 'goes on where it was'],
  ['a watcher has nothing to do', { status: 'done', handlerPid: 7 }, 'watching', null, 'what is asked here'],
  [
    'its handler runs it',
    { status: 'running', holder: 'orchestrator', handlerPid: 7 },
    'running',
    'orchestrator',
    'nothing',
  ],
  [
    'a person is asked',
    { status: 'waiting', holder: 'you', handlerPid: 7, isAsked: true },
    'waiting',
    'you',
    'respond',
  ],
])('%s', (_, facts, status, holder, next) => {
  expect(bridgeStanding({ ...FACTS, ...facts })).toEqual({ status, holder, next: expect.stringContaining(next) });
});
