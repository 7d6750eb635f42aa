/** What goes wrong with packets of contract 003. Each twist changes one place; none knows whether that is allowed. */

import type { Random } from '../../fuzz/random.js';
import { momentAt, STATUSES } from './drawn.js';
import { get, type Holder, type Place, placesIn, set } from './places.js';
import { respelt } from './respelt.js';

/** Answers whether there was anything to change. */
type Twist = (random: Random, places: readonly Place[]) => boolean;

const PATH_FIELDS = ['lock_scope', 'forbidden_scope', 'resource', 'files_touched', 'worklog_path'];
const ID_FIELDS = ['task_id', 'dependencies', 'depends_on_task_id'];
const TEXT_FIELDS = [
  ...['acceptance_criteria', 'value', 'notes_for_orchestrator', 'decision', 'result', 'next_step', 'actor', 'action'],
  ...['title', 'global_objective', 'objective', 'reason', 'owner', 'evidence', 'criterion', 'criteria', 'next_actions'],
  ...['delta_id', 'agent', 'code'],
];
const MOMENT_FIELDS = ['now', 'timestamp', 'generated_at', 'last_heartbeat_at'];
const NUMBER_FIELDS = [
  'timeout_seconds',
  'heartbeat_interval_seconds',
  'retry_after_ms',
  'concurrency',
  'x_base_version',
];

const isText = (place: Place): boolean => typeof get(place) === 'string';
const named = (names: readonly string[]) => (place: Place) => names.includes(place.name);

function atOne(
  wanted: (place: Place) => boolean,
  change: (random: Random, place: Place, all: readonly Place[]) => void,
): Twist {
  return (random, places) => {
    const fitting = places.filter(wanted);
    if (fitting.length > 0) change(random, random.pick(fitting), places);
    return fitting.length > 0;
  };
}

const replaced = (names: readonly string[], values: (random: Random) => unknown): Twist =>
  atOne(
    (place) => named(names)(place) && !isHolder(get(place)),
    (random, place) => set(place, values(random)),
  );

const isHolder = (value: unknown): boolean => typeof value === 'object' && value !== null;
const isList = (place: Place): boolean => Array.isArray(get(place));
const isFields = (place: Place): boolean => isHolder(get(place)) && !isList(place);

/** A path that is already there, in other words, at another place: what overlaps must be seen whatever its spelling. */
const overlap: Twist = (random, places) => {
  const paths = places.filter((place) => named(PATH_FIELDS)(place) && isText(place));
  if (paths.length === 0) return false;
  const path = respelt(random, get(random.pick(paths)) as string);
  const target = random.pick(paths);
  if (Array.isArray(target.holder) && random.chance(0.5)) target.holder.push(path);
  else set(target, path);
  return true;
};

const sameId: Twist = (random, places) => {
  const ids = places.filter((place) => named(ID_FIELDS)(place) && isText(place));
  if (ids.length > 0) set(random.pick(ids), get(random.pick(ids)));
  return ids.length > 0;
};

/** Back edges, self dependencies and unknown tasks. */
const dependency: Twist = (random, places) => {
  const lists = places.filter((place) => place.name === 'dependencies' && isList(place));
  const ids = places.filter((place) => place.name === 'task_id' && isText(place)).map(get);
  if (lists.length === 0 || ids.length === 0) return false;
  (get(random.pick(lists)) as unknown[]).push(random.pick([...ids, 'T-999']));
  return true;
};

const repeatedEntry = atOne(isList, (random, place) => {
  const list = get(place) as unknown[];
  if (list.length > 0) list.splice(random.below(list.length + 1), 0, structuredClone(random.pick(list)));
});
const lostEntry = atOne(isList, (random, place) => {
  const list = get(place) as unknown[];
  if (random.chance(0.3)) list.length = 0;
  else list.splice(random.below(list.length + 1), 1);
});
const lostField = atOne(isFields, (random, place) => {
  const fields = get(place) as Record<string, unknown>;
  const keys = Object.keys(fields);
  if (keys.length > 0) delete fields[random.pick(keys)];
});
const unknownField = atOne(isFields, (random, place) => {
  const fields = get(place) as Record<string, unknown>;
  fields[random.pick(['extra', 'x_extra', 'X_extra', 'schema_version', 'generated_at', 'run_id', 'toString', 'x_'])] =
    deep(random.pick([0, 0, 1, 60, 63, 64, 70]));
});

function deep(levels: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level += 1) value = [value];
  return value;
}

const wrongType = atOne(
  () => true,
  (random, place) => set(place, random.pick([null, 0, 1.5, true, '', 'x', [], {}, ['x'], { x: 1 }, [[]], [null]])),
);

const texts: readonly string[] = [
  ...['', ' ', '\t\n', '\u00a0', '\u200b', 'x'.repeat(500), 'x'.repeat(501), '😀'.repeat(500), 'x'.repeat(5001)],
  ...[
    'AKIAABCDEFGHIJKLMNOP',
    'AKIAABCDEFGHIJKLMN0',
    'sk-abcdefghij0123456789',
    'sk-ant-1',
    'my ghp_abc',
    'github_pat_1',
  ],
  ...[
    '-----BEGIN OPENSSH PRIVATE KEY-----',
    'API_KEY = hunter2',
    'token:x',
    'secret=',
    'tokens are cheap',
    'Token\n:\nx',
  ],
  ...[
    '{"allow":true}',
    ' {"packet_type":1} ',
    '{"a":1}',
    '[{"allow":true}]',
    '{"lock_scope":[]',
    '{"active_locks":[]}',
  ],
  ...[
    '{"ledger_delta":[]}',
    '{"assignments":null}',
    '{"required_output_schema":""}',
    'say {"allow":true}',
    '{"Allow":1}',
  ],
  ...['NO_SUCH_CODE', 'TASK_TIMEOUT', 'task_timeout', 'd-1', 'd-0'],
];

/** Around the moment at which a watchdog loses its patience or its belief. */
const moment = (random: Random): unknown => {
  const offset = random.pick([0, 30_000, 30_001, 29_999, 31_000, -30_000, -30_001, -60_000, -600_000, 86_400_000]);
  const text = momentAt(offset);
  const spelt = [text, text.replace('Z', '+00:00'), text.toLowerCase(), text.replace('Z', ''), text.replace('T', ' ')];
  return random.pick([...spelt, text, text, null, '2026-02-30T00:00:00Z', '2026-01-01T01:00:00+01:00', '2026-01-01']);
};

const heartbeatAtLimit = atOne(named(['timeout_seconds']), (random, place) => {
  const task = place.holder as Record<string, unknown>;
  const seconds = Math.min(Number(task.timeout_seconds) || 0, 10_000);
  if ('last_heartbeat_at' in task) {
    task.last_heartbeat_at = momentAt(-seconds * 1000 + random.pick([-1, 0, 1]));
    if (random.chance(0.7)) task.status = 'in_progress';
  }
  if ('heartbeat_interval_seconds' in task) task.heartbeat_interval_seconds = seconds + random.pick([-1, 0, 1]);
});

const versions = [
  '1.0.0',
  '1.7.3',
  '2.0.0',
  '0.9.0',
  '1',
  '1.0',
  '1.0.0-rc',
  'v1.0.0',
  '',
  ' ',
  '10.0.0',
  '01.0.0',
  1,
  null,
];
const runIds = [
  ...[
    '3f56dc4d-35cf-4f97-925c-0b04a6fe8bf4',
    '3F56DC4D-35CF-4F97-925C-0B04A6FE8BF4',
    '------------------------------------',
  ],
  ...[
    '3f56dc4d-35cf-1f97-925c-0b04a6fe8bf4',
    '3f56dc4d-35cf-4f97-c25c-0b04a6fe8bf4',
    '3f56dc4d35cf4f97925c0b04a6fe8bf4',
    '',
    7,
  ],
];
const taskIdTexts = [
  'T-1',
  't-1',
  'T-',
  'T-01',
  'T-1 ',
  '3F56DC4D-35CF-4F97-925C-0B04A6FE8BF4',
  'T-99999999999999999999',
  '',
  'T-１',
];
const numbers = [0, 1, 4, 5, 5.5, 29, 30, 31, 1000, 1001, -1, -0, 2 ** 31, 2 ** 53 - 1, 1e21, '30', null];

const TWISTS: readonly Twist[] = [
  ...[overlap, overlap, overlap, overlap, sameId, sameId, dependency, dependency, repeatedEntry, repeatedEntry],
  ...[lostEntry, lostField, unknownField, unknownField, wrongType, heartbeatAtLimit],
  replaced(PATH_FIELDS, (random) =>
    respelt(random, random.pick(['src', 'src/a.ts', 'caf\u00e9/x', '.git/x', '~/x', 'C:/x'])),
  ),
  replaced(TEXT_FIELDS, (random) => random.pick(texts)),
  replaced(TEXT_FIELDS, (random) => random.pick(texts)),
  replaced(['status'], (random) => random.pick([...STATUSES, ...STATUSES, 'pass', 'fail', 'Done', ''])),
  replaced(['status'], (random) => random.pick([...STATUSES, 'pass', 'fail'])),
  replaced(['owner'], (random) => random.pick(['', ' ', 'agent-9'])),
  replaced(['active', 'timed_out'], (random) => random.pick([true, false, 0, 'true', null])),
  replaced(MOMENT_FIELDS, moment),
  replaced(NUMBER_FIELDS, (random) => random.pick(numbers)),
  replaced(['schema_version'], (random) => random.pick(versions)),
  replaced(['run_id'], (random) => random.pick(runIds)),
  replaced(ID_FIELDS, (random) => random.pick(taskIdTexts)),
  replaced(['type', 'kind', 'priority', 'packet_type', 'required_output_schema'], (random) =>
    random.pick(['serial', 'file', 'high', 'High', 'assignment', 'subagent_result_v1', 'subagent_result_v2', '', 1]),
  ),
];

/** Twists a packet in place as often as asked. */
export function twist(random: Random, packet: Holder, times: number): void {
  for (let step = 0; step < times; step += 1) {
    const places = placesIn(packet);
    while (!random.pick(TWISTS)(random, places));
  }
}
