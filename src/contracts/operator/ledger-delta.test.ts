import { describe, expect, test } from 'vitest';
import { check } from '../shared/contract.js';
import { ledgerDelta } from './ledger-delta.js';

const create = { task_id: 'T-1', status: 'todo', owner: 'o', reason: 'r', delta_id: 'd-1' };
const finish = { ...create, status: 'done', delta_id: 'd-2' };
const onLedger = (ledger: object[], ...ledger_delta: object[]) => check(ledgerDelta, { ledger, ledger_delta });

describe('a ledger delta', () => {
  test('for a row that is not there may only create it [R474]', () => {
    expect(onLedger([], create)).toMatchObject({ allow: true });
    for (const status of ['in_progress', 'blocked', 'done', 'failed', 'canceled']) {
      expect(onLedger([], { ...finish, status })).toMatchObject({
        code: 'LEDGER_INCONSISTENT',
        details: { issues: [{ task_id: 'T-1' }] },
      });
    }
  });

  test('finds the rows that earlier deltas of the same list created [R474]', () => {
    expect(onLedger([], create, finish)).toMatchObject({ allow: true });
    expect(onLedger([], finish, create)).toMatchObject({ code: 'LEDGER_INCONSISTENT' });
    expect(onLedger([{ task_id: 'T-1', status: 'todo' }], finish)).toMatchObject({ allow: true });
  });

  test('may come alone or in a list, and then no ledger is asked', () => {
    expect(check(ledgerDelta, finish)).toMatchObject({ allow: true });
    expect(check(ledgerDelta, [finish])).toMatchObject({ allow: true });
  });

  test('may come again under its id, in any order of fields, but not with other content', () => {
    const { delta_id, ...rest } = create;
    expect(check(ledgerDelta, [create, { delta_id, ...rest }])).toMatchObject({ allow: true });
    expect(check(ledgerDelta, [create, { ...create, reason: 'other' }])).toMatchObject({ code: 'KEY_REUSED' });
    expect(check(ledgerDelta, [create, { ...create, x_note: { b: 1, a: 2 } }])).toMatchObject({ code: 'KEY_REUSED' });
  });

  test('is named where it stands, alone or on a ledger', () => {
    const reused = [create, { ...create, reason: 'other' }];
    expect(check(ledgerDelta, reused)).toMatchObject({ details: { path: '/1/delta_id' } });
    expect(onLedger([], ...reused)).toMatchObject({ details: { path: '/ledger_delta/1/delta_id' } });
  });
});
