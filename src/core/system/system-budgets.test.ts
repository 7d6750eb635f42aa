import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BUDGETS_MAX, dayBeginsMs, dayOf, judgeBudget, judgeBudgets, usedReason } from './day-budget.js';
import { systemDecider } from './system-decider.js';
import type { SystemCommand, SystemEvent, SystemState } from './system-messages.js';

const USD = 1_000_000;
const set = (project: string | null, usd: number): SystemCommand => ({
  ...{ type: 'SetBudget', atMs: 1, project, limits: { costMicroUsd: usd * USD } },
});
const note = (project: string | null, usd: number, day = 1): SystemCommand => {
  const spent = { costMicroUsd: usd * USD, tokens: 0 };
  const level = usd >= 20 ? 'used' : usd >= 16 ? 'near' : 'fine';
  return { type: 'NoteBudget', atMs: dayBeginsMs(day), project, day, level, spent };
};

function told(commands: readonly SystemCommand[], from?: SystemState) {
  let state = from ?? systemDecider.initialState();
  const events: SystemEvent[] = [];
  const refused: string[] = [];
  for (const command of commands) {
    const decision = systemDecider.decide(state, command);
    if ('refusal' in decision) refused.push(decision.refusal.code);
    for (const event of 'events' in decision ? decision.events : []) {
      events.push(event);
      state = systemDecider.evolve(state, event);
    }
  }
  return { state, events, types: events.map(({ type }) => type), refused };
}

/** Questions that are open after these events. */
function open(events: readonly SystemEvent[]): string[] {
  const keys = new Set<string>();
  for (const event of events) {
    const change = systemDecider.inbox(event);
    if (change && 'open' in change) keys.add(change.open.key);
    else if (change) keys.delete(change.close);
  }
  return [...keys];
}

describe('a budget in the system run', () => {
  test('says once a day that it is near, and asks once a day when it is used up', () => {
    const seen = [note('shop', 3), note('shop', 17), note('shop', 18), note('shop', 20), note('shop', 25)];
    const { types, events } = told([set('shop', 20), ...seen]);
    expect(types).toEqual(['BudgetSet', 'BudgetNear', 'BudgetUsed']);
    expect(open(events)).toEqual(['budget-1']);
  });

  test('is another one on the next day: the old question is over', () => {
    const { types, events } = told([set('shop', 20), note('shop', 21), note('shop', 0, 2), note('shop', 20, 2)]);
    expect(types).toEqual(['BudgetSet', 'BudgetUsed', 'BudgetRenewed', 'BudgetUsed']);
    expect(open(events)).toEqual(['budget-2']);
    expect(told([set('shop', 20), note('shop', 21, 2), note('shop', 0, 1)]).types).toEqual(['BudgetSet', 'BudgetUsed']);
  });

  test('asks with the figures, and what helps', () => {
    const { events } = told([set('shop', 20), note('shop', 20.03)]);
    const asked = systemDecider.inbox(events.at(-1) as SystemEvent);
    const reason = 'project shop has used $20.03 of $20.00 today; goes on at 00:00 UTC, or raise it: ';
    expect(asked).toMatchObject({
      open: {
        kind: 'limit',
        title: 'limit reached (shop)',
        question: expect.stringContaining(`${reason}baton budget set 31 --project shop`),
      },
    });
  });

  test('that is raised closes the question, and asks again only when that is used up, too', () => {
    const used = told([set('shop', 20), note('shop', 21)]);
    const low = told([{ type: 'RaiseBudget', atMs: 2, question: 1, total: 21 * USD }], used.state);
    expect([low.refused, low.types]).toEqual([['LIMIT_TOO_LOW'], []]);
    const raised = told([{ type: 'RaiseBudget', atMs: 2, question: 1, total: 30 * USD }], used.state);
    expect(raised.state.budgets.get('shop')).toEqual({
      project: 'shop',
      limits: { costMicroUsd: 30 * USD },
      alert: null,
    });
    expect(open([...used.events, ...raised.events])).toEqual([]);
    expect(told([{ type: 'RaiseBudget', atMs: 2, question: 1, total: 90 * USD }], raised.state).refused).toEqual([
      'ITEM_CLOSED',
    ]);
  });

  test('that is left as it is asks no more on that day', () => {
    const { types, events } = told([
      ...[set(null, 20), note(null, 21), { type: 'LeaveBudget', atMs: 2, question: 1 } as const, note(null, 22)],
    ]);
    expect([types, open(events)]).toEqual([['BudgetSet', 'BudgetUsed', 'BudgetLeft'], []]);
  });

  test('is told to people once', () => {
    const said: SystemCommand = { type: 'NoteBudgetTold', atMs: 2, project: 'shop', day: 1, level: 'used' };
    const { types } = told([set('shop', 20), note('shop', 21), said, said]);
    expect(types).toEqual(['BudgetSet', 'BudgetUsed', 'BudgetTold']);
  });

  test('is refused when it says nothing, is nothing, or is one too many', () => {
    const empty: SystemCommand = { type: 'SetBudget', atMs: 1, project: 'a', limits: {} };
    const none: SystemCommand = { type: 'SetBudget', atMs: 1, project: 'a', limits: null };
    expect(told([empty, set('a', 0), set(' a', 1), none]).refused).toEqual([
      ...['SCHEMA_INVALID', 'SCHEMA_INVALID', 'SCHEMA_INVALID', 'BUDGET_NOT_FOUND'],
    ]);
    const full = told(Array.from({ length: BUDGETS_MAX }, (_, index) => set(`p${index}`, 1)));
    expect(told([set('more', 1)], full.state).refused).toEqual(['BUDGETS_FULL']);
    expect(told([set('p7', 2)], full.state).refused).toEqual([]);
  });
});

const anyCommand: fc.Arbitrary<SystemCommand> = fc.oneof(
  fc.tuple(fc.constantFrom('a', 'b', null), fc.integer({ min: 1, max: 40 })).map(([project, usd]) => set(project, usd)),
  fc
    .tuple(fc.constantFrom('a', 'b', null), fc.integer({ min: 0, max: 40 }), fc.integer({ min: 1, max: 3 }))
    .map(([project, usd, day]) => note(project, usd, day)),
  fc.integer({ min: 1, max: 5 }).map((question): SystemCommand => ({ type: 'LeaveBudget', atMs: 1, question })),
  fc.constantFrom('a', null).map((project): SystemCommand => ({ type: 'SetBudget', atMs: 1, project, limits: null })),
);

describe('whatever happens to budgets', () => {
  test('a budget has at most one open question, and a snapshot loses nothing', () => {
    fc.assert(
      fc.property(fc.array(anyCommand, { maxLength: 30 }), (commands) => {
        const { state, events } = told(commands);
        const asking = [...state.budgets.values()].flatMap(({ alert }) => alert?.question ?? []);
        expect(open(events).sort()).toEqual(asking.map((question) => `budget-${question}`).sort());
        const { encode, decode } = systemDecider.snapshot as NonNullable<typeof systemDecider.snapshot>;
        expect(decode(JSON.parse(JSON.stringify(encode(state))))).toEqual(state);
      }),
    );
  });
});

const amount = fc.integer({ min: 1, max: 100 });
describe('the arithmetic of a day', () => {
  test('reached is used, and four fifths are near', () => {
    fc.assert(
      fc.property(amount, fc.integer({ min: 0, max: 200 }), (limit, spent) => {
        const { level } = judgeBudget(
          { project: 'p', limits: { costMicroUsd: limit } },
          { costMicroUsd: spent, tokens: 0 },
        );
        expect(level).toBe(spent >= limit ? 'used' : spent * 5 >= limit * 4 ? 'near' : 'fine');
      }),
    );
  });

  test('a project is stopped by its own budget and by the one of all, and by nobody else’s', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom('', 'a', 'b'), amount),
        fc.dictionary(fc.constantFrom('a', 'b'), amount),
        (limits, spent) => {
          const budgets = new Map(
            Object.entries(limits).map(([key, tokens]) => [key, { project: key || null, limits: { tokens } }]),
          );
          const all = (spent.a ?? 0) + (spent.b ?? 0);
          const spentBy = (project: string | null) => ({
            costMicroUsd: 0,
            tokens: project === null ? all : (spent[project] ?? 0),
          });
          const stopped = judgeBudgets(budgets, 'a', spentBy).some(({ level }) => level === 'used');
          const own = limits.a !== undefined && (spent.a ?? 0) >= limits.a;
          expect(stopped).toBe(own || (limits[''] !== undefined && all >= limits['']));
        },
      ),
    );
  });

  test('the budget that is proposed would be enough', () => {
    fc.assert(
      fc.property(amount, amount, (limit, more) => {
        const spent = { costMicroUsd: (limit + more) * USD, tokens: 0 };
        const reason = usedReason(judgeBudget({ project: null, limits: { costMicroUsd: limit * USD } }, spent));
        expect(Number(/budget set (\d+)$/.exec(reason)?.[1]) * USD).toBeGreaterThan(spent.costMicroUsd);
      }),
    );
  });

  test('every moment lies in exactly one day', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4e12 }), (atMs) => {
        expect(dayBeginsMs(dayOf(atMs)) <= atMs && atMs < dayBeginsMs(dayOf(atMs) + 1)).toBe(true);
      }),
    );
  });
});
