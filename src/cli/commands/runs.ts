import type { RunRow } from '../../engine/ports.js';
import { openItems } from '../../engine/shown/open-items.js';
import { runObject } from '../../engine/shown/run-object.js';
import { counted } from '../grouped-number.js';
import { type LookingCommand, whileLooking } from '../opened-desk.js';
import { shortRun } from '../operator/short-run.js';
import { countOption, textOption } from '../option-values.js';
import { printable, printableJson } from '../printable.js';

const LIMIT_DEFAULT = 50;
const LIMIT_MAX = 10_000;
const COLUMNS_MAX = 80;
const WIDTHS = { run: 24, kind: 8, status: 21, age: 7 };

export const runRuns: LookingCommand = (parsed, io, open) =>
  whileLooking(open, async ({ store, clock }) => {
    const filters = (['kind', 'status', 'project', 'search', 'after'] as const).map((name) => [
      name,
      textOption(parsed, name),
    ]);
    const given = Object.fromEntries(filters.filter(([, value]) => value !== undefined));
    const limit = countOption(parsed, 'limit', { min: 1, max: LIMIT_MAX }) ?? LIMIT_DEFAULT;
    const { items, next } = await store.runs({ ...given, limit });
    if (parsed.values.json) {
      const waiting = await openItems(store);
      const objects = items.map((row) => runObject(row, waiting.get(row.run) ?? null));
      io.out(`${printableJson({ items: objects, next })}\n`);
    } else io.out(`${render(items, next, clock.nowMs()).join('\n')}\n`);
    return 0;
  });

function render(items: readonly RunRow[], next: string | null, nowMs: number): string[] {
  const [newest] = items;
  if (!newest) return ['No runs.'];
  const waiting = items.filter(({ waitingFor }) => waitingFor !== null).length;
  const moving = items.filter(({ owes, wakeAtMs }) => owes || wakeAtMs !== null).length;
  const state = [
    `${counted(items.length, 'run')}${next === null ? '' : ' shown'}`,
    `${moving} under way`,
    `${waiting} wait`,
  ];
  const more = next === null ? [] : [`More: baton runs --after ${next}`];
  const last = `Look: baton events --run ${printable(newest.run)}`;
  return [
    state.join(', '),
    line('RUN', 'KIND', 'STATUS', 'AGE', 'TITLE'),
    ...items.map((row) => rowOf(row, nowMs)),
    ...more,
    last,
  ];
}

function rowOf({ run, kind, status, updatedAt, title }: RunRow, nowMs: number): string {
  return line(
    printable(shortRun(run)),
    printable(kind),
    printable(status),
    age(nowMs - Date.parse(updatedAt)),
    printable(title),
  );
}

function line(run: string, kind: string, status: string, since: string, title: string): string {
  const cells = [
    run.padEnd(WIDTHS.run),
    kind.padEnd(WIDTHS.kind),
    status.padEnd(WIDTHS.status),
    since.padStart(WIDTHS.age),
  ];
  const left = cells.join(' ');
  const room = Math.max(10, COLUMNS_MAX - left.length - 2);
  const characters = [...title];
  return `${left}  ${characters.length > room ? `${characters.slice(0, room - 3).join('')}...` : title}`.trimEnd();
}

const UNITS = [
  { name: 'd', ms: 86_400_000 },
  { name: 'h', ms: 3_600_000 },
  { name: 'min', ms: 60_000 },
  { name: 's', ms: 1_000 },
] as const;

function age(sinceMs: number): string {
  const unit = UNITS.find(({ ms }) => sinceMs >= ms);
  return unit ? `${Math.floor(sinceMs / unit.ms)} ${unit.name}` : 'now';
}
