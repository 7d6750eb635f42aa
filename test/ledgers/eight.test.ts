import { expect, test } from 'vitest';
import { atWorkTogether, LedgerStage, statuses } from './ledger-stage.js';

const LONG_MS = 180_000;

const WORKS = `
log();
for (const scope of task.lock_scope) {
  const file = /\\.\\w+$/.test(scope) ? scope : path.join(scope, task_id + '.txt');
  mkdirSync(path.dirname(file), { recursive: true });
  appendFileSync(file, 'by ' + task_id + '\\n');
}
await nap(100);
result();
`;

test('eight agents on one repository with overlapping wishes: nobody touches what is not theirs [R393, R394, R452]', {
  timeout: LONG_MS,
}, async () => {
  const stage = new LedgerStage();
  for (let number = 1; number <= 8; number += 1) await stage.agent(`a${number}`, WORKS);
  const scopes = [
    ['src/'],
    ['src/api/'],
    ['src/api/x.js'],
    ['docs/'],
    ['docs/a.md'],
    ['add.js'],
    ['test/'],
    ['new.txt'],
  ];
  const tasks = Array.from({ length: 16 }, (_, index) =>
    stage.task(index + 1, scopes[index % scopes.length] ?? [], {
      agent: `a${(index % 8) + 1}`,
      ...(index === 9 && { type: 'serial' }),
      ...(index === 15 && { dependencies: ['T-1', 'T-10'] }),
    }),
  );
  const before = stage.checkout();
  const { exit, printed } = await stage.operator('run', stage.plan(tasks), '--concurrency', '8');
  expect([exit, printed.status, new Set(Object.values(statuses(printed.tasks)))]).toEqual([
    0,
    'done',
    new Set(['done']),
  ]);
  expect([printed.active_locks, printed.blockers, stage.checkout()]).toEqual([[], [], before]);

  const changed = stage.changedByTask();
  expect([...changed.keys()].sort()).toEqual(tasks.map(({ task_id }) => task_id).sort());
  for (const { task_id, lock_scope } of tasks) {
    for (const file of changed.get(task_id) ?? []) {
      expect(
        lock_scope.some((scope) => file === scope || file.startsWith(scope)),
        `${task_id} ${file}`,
      ).toBe(true);
    }
  }
  expect(stage.git('show', `baton/${stage.run}:add.js`)).toContain('by T-6\nby T-14');

  const scopeOf = new Map(tasks.map(({ task_id, lock_scope }) => [task_id, lock_scope[0]?.replace(/\/$/, '') ?? '']));
  const overlap = (one: string, other: string): boolean =>
    one === other || one.startsWith(`${other}/`) || other.startsWith(`${one}/`);
  const pairs = atWorkTogether(await stage.events());
  expect(pairs.length, 'some did work together').toBeGreaterThan(0);
  expect(pairs.filter(([one, other]) => overlap(scopeOf.get(one) ?? '', scopeOf.get(other) ?? ''))).toEqual([]);
  expect(
    pairs.filter((pair) => pair.includes('T-10')),
    'a serial task runs alone',
  ).toEqual([]);

  const { out } = await stage.cli('operator', 'worklog', stage.run, 'T-1', '--json');
  const entries = (JSON.parse(out) as { items: { actor: string; action: string; result: string }[] }).items;
  expect(entries.map(({ actor, action }) => `${actor} ${action}`)).toEqual([
    'baton assign',
    'agent edit',
    'baton result',
  ]);
  expect((await stage.cli('audit', 'verify')).code).toBe(0);
  expect((await stage.operator('reconcile', stage.run)).exit).toBe(0);
});
