import { expect, test } from 'vitest';
import { openSqliteStore } from '../../src/store/sqlite/open.js';
import { appendNext } from '../conformance/store/sealed.js';
import { JobStage } from './job-stage.js';

const QUESTIONS = 130;

test('an inbox of more than a page is told page by page, and every item is found', async () => {
  const stage = new JobStage();
  await stage.ok('agent', 'register', 'somebody', '--adapter', 'human');
  const store = await openSqliteStore({ home: stage.home, writer: 'main' });
  const open = { kind: 'approval', title: 'many', question: 'Yes?' } as const;
  for (let number = 1; number <= QUESTIONS; number += 1) {
    await appendNext(store, 'many', { inbox: { open: [{ ...open, key: `q${number}` }], close: [] } });
  }
  await store.close();
  const first = (await stage.json('inbox')).printed as { items: { item: number }[]; next: string };
  const second = (await stage.json('inbox', '--after', first.next)).printed as {
    items: unknown[];
    next: string | null;
  };
  expect([first.items.length + second.items.length, second.next]).toEqual([QUESTIONS, null]);
  expect((await stage.json('inbox', String(QUESTIONS))).printed).toMatchObject({ item: QUESTIONS, status: 'open' });
  expect((await stage.json('inbox', String(QUESTIONS + 1))).printed.code).toBe('ITEM_NOT_FOUND');
});
