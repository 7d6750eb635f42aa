import { expect, test } from 'vitest';
import { appendNext, appendOne, SUMMARY, seal } from './sealed.js';
import type { Opened } from './suite.js';

const HOSTILE: readonly (readonly [what: string, search: string])[] = [
  ['a quote', '"'],
  ['an apostrophe', "'"],
  ['a star', '*'],
  ['an empty phrase', '""'],
  ['a broken NEAR', 'NEAR('],
  ['a broken AND', 'a AND'],
  ['a bare OR', 'OR'],
  ['a NOT', 'NOT x'],
  ['a column', 'title:x'],
  ['a beginning', '^x'],
  ['a minus', '-x'],
  ['half a bracket', '(x'],
  ['a brace', '{x}'],
  ['SQL', 'x"; DROP TABLE run; --'],
  ['wildcards', '%_\\'],
  ['a NUL', '\u0000'],
  ['half a character', '\ud800'],
  ['a picture', '😀'],
  ['a very long word', 'x'.repeat(10_000)],
  ['very many words', 'w '.repeat(5_000)],
];

export function readTests(opened: Opened): void {
  test('knows nothing of a run that is not there', async () => {
    const { store } = opened.current;
    expect(await store.load('a')).toBeUndefined();
    expect(await store.run('a')).toBeUndefined();
    expect(await store.events('a', 0, 9)).toEqual([]);
    expect(await store.feed(0, 9)).toEqual([]);
    expect(await store.nextWake()).toBeNull();
  });

  test('loads the newest snapshot of the present owner and the events behind it', async () => {
    const { store } = opened.current;
    await appendNext(store, 'a', { owner: 'w1', data: ['{"n":1}', '{"n":2}', '{"n":3}'] });
    const snapshot = { run: 'a', version: 2, machineVersion: 5, state: '{"n":2}' };
    await store.saveSnapshot(snapshot, 1);
    await store.saveSnapshot({ ...snapshot, version: 3, state: 'of a former owner' }, 0);
    const loaded = await store.load('a');
    expect(loaded?.snapshot).toEqual(snapshot);
    expect(loaded?.tail.map(({ data }) => data)).toEqual(['{"n":3}']);
    expect(loaded).toMatchObject({ kind: 'job', version: 3, epoch: 1, owner: 'w1' });
    const behind = await store.load('a', 1);
    expect(behind?.snapshot).toBeUndefined();
    expect(behind?.tail.map(({ seq }) => seq)).toEqual([2, 3]);
  });

  test('shows a run as its summary says', async () => {
    const { store } = opened.current;
    const summary = {
      ...SUMMARY,
      status: 'DONE',
      title: 'Repair',
      parent: 'p',
      waitingFor: 'a person',
      ended: true,
      costMicroUsd: 12,
      tokens: 34,
      wakeAtMs: 1_800_000_000_000,
    };
    await appendNext(store, 'a', { kind: 'ledger' });
    await appendNext(store, 'a', { kind: 'ledger', summary });
    const at = '2026-01-02T03:04:05.678Z';
    const head = (await store.load('a'))?.head;
    expect(await store.run('a')).toEqual(
      expect.objectContaining({ ...summary, run: 'a', kind: 'ledger', version: 2, head, createdAt: at, updatedAt: at }),
    );
  });

  test('lists parts of other runs only for whoever asks for them', async () => {
    const { store } = opened.current;
    await appendNext(store, 'whole', { kind: 'ledger' });
    await appendNext(store, 'part', { kind: 'task' });
    const names = async (filter: object) => (await store.runs({ limit: 9, ...filter })).items.map(({ run }) => run);
    expect(await names({})).toEqual(['whole']);
    expect(await names({ kind: 'task' })).toEqual(['part']);
    expect(await names({ parts: true })).toEqual(['part', 'whole']);
    expect(await names({ parts: true, kind: 'ledger' })).toEqual(['whole']);
  });

  test('lists runs newest first, page by page, each once although others are made meanwhile', async () => {
    const { store } = opened.current;
    for (let index = 0; index < 7; index += 1) await appendOne(store, seal(`run-${index}`));
    const first = await store.runs({ limit: 3 });
    await appendOne(store, seal('made meanwhile'));
    await appendNext(store, 'run-0');
    const second = await store.runs({ limit: 3, after: first.next ?? '' });
    const third = await store.runs({ limit: 3, after: second.next ?? '' });
    expect([first, second, third].map(({ items }) => items.map(({ run }) => run))).toEqual([
      ['run-6', 'run-5', 'run-4'],
      ['run-3', 'run-2', 'run-1'],
      ['run-0'],
    ]);
    expect(third.next).toBeNull();
    expect((await store.runs({ limit: 8 })).next).toBeNull();
  });

  test('lists by kind, status, agent and project', async () => {
    const { store } = opened.current;
    await appendNext(store, 'a', { kind: 'job', summary: { status: 'DONE', agent: 'x', project: 'p' } });
    await appendNext(store, 'b', { kind: 'ledger', summary: { status: 'RUNNING', agent: 'y', project: 'q' } });
    await appendNext(store, 'c', { kind: 'job', summary: { status: 'RUNNING', agent: null, project: null } });
    const names = async (filter: object) => (await store.runs({ limit: 9, ...filter })).items.map(({ run }) => run);
    expect(await names({ kind: 'job' })).toEqual(['c', 'a']);
    expect(await names({ status: 'RUNNING' })).toEqual(['c', 'b']);
    expect(await names({ agent: 'x' })).toEqual(['a']);
    expect(await names({ project: 'q', kind: 'ledger' })).toEqual(['b']);
    expect(await names({ project: 'q', kind: 'job' })).toEqual([]);
  });

  test('finds runs by words of title and text, also after these changed', async () => {
    const { store } = opened.current;
    await appendNext(store, 'a', { summary: { title: 'Fix the Login', text: 'customers cannot enter' } });
    await appendNext(store, 'b', { summary: { title: 'Write the handbook', text: 'for customers' } });
    const names = async (search: string) => (await store.runs({ limit: 9, search })).items.map(({ run }) => run);
    expect(await names('customers')).toEqual(['b', 'a']);
    expect(await names('login CUSTOM')).toEqual(['a']);
    await appendNext(store, 'a', { summary: { title: 'Fix the exit' } });
    expect(await names('login')).toEqual([]);
    expect(await names('exit customers')).toEqual(['a']);
    await appendNext(store, 'a', { summary: { title: 'Fix the exit', text: 'nobody can leave' } });
    expect(await names('customers')).toEqual(['b']);
    expect(await names('nobody')).toEqual(['a']);
    expect((await store.runs({ limit: 9, search: 'the', kind: 'ledger' })).items).toEqual([]);
  });

  test.each(HOSTILE)('takes a search for %s as words and nothing else', async (_, search) => {
    const { store } = opened.current;
    await appendNext(store, 'a', { summary: { title: 'quite harmless' } });
    expect((await store.runs({ limit: 9, search })).items).toEqual([]);
    expect((await store.runs({ limit: 9 })).items).toHaveLength(1);
  });

  test('takes a search of blanks as no search', async () => {
    const { store } = opened.current;
    await appendNext(store, 'a');
    expect((await store.runs({ limit: 9, search: ' \n' })).items).toHaveLength(1);
  });

  test('keeps everything when it is opened again', async () => {
    const { store, reopen } = opened.current;
    const dedupe = { scope: 's', key: 'k', payload: 'p', answer: '1' };
    const inbox = { open: [{ key: 'q', kind: 'login', title: 't', question: 'q' }], close: [] } as const;
    await appendNext(store, 'a', { dedupe, inbox, owner: 'w1', summary: { wakeAtMs: 5 } });
    await store.saveSnapshot({ run: 'a', version: 1, machineVersion: 1, state: '{}' }, 1);
    const look = async (from: typeof store) => ({
      feed: await from.feed(0, 9),
      load: await from.load('a'),
      run: await from.run('a'),
      inbox: await from.inbox({ open: true, limit: 9 }),
      recorded: await from.recorded('s', 'k'),
      position: await from.position(),
    });
    const before = await look(store);
    const reopened = await reopen();
    expect(await look(reopened)).toEqual(before);
    expect(await appendNext(reopened, 'a')).toEqual({ type: 'appended', version: 2, position: 2 });
  });
}
