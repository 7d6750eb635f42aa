/**
 * What a field may plausibly hold: so that mutations get past the schema and reach the rules behind it. Told by hand
 * for contract 003, and collected from the schemas (allowed values and bounds) for every other field.
 */

import { MOMENTS, NAUGHTY_PATHS, UNTRUSTED_TEXTS } from './naughty.js';

export type FieldValues = ReadonlyMap<string, readonly string[]>;

const texts = (...values: readonly string[]): string[] => values.map((value) => JSON.stringify(value));

const TASKS = texts('T-1', 'T-2', 'T-3', 'T-4', 'T-9', 'T-12', 'T-', 't-1', '3f56dc4d-35cf-4f97-925c-0b04a6fe8bf4');
const RESOURCES = [
  ...texts('src', 'src/', 'src/api.py', 'src/API.py', 'tests/test_api.py', 'tests', 'docs/a.md', 'docs', './src', '.'),
  ...texts(
    'src\\api.py',
    'src/../docs',
    ' docs ',
    'lib/a',
    'lib/b',
    'lib',
    'worklogs/T-12.jsonl',
    'a/b/c',
    'a/b',
    'A/B',
  ),
];
const STATUSES = texts('todo', 'in_progress', 'blocked', 'done', 'failed', 'canceled', 'pass', 'fail', 'open', 'Done');
const PROSE = [...texts('All endpoint tests pass', 'edit', 'x', ' '), ...UNTRUSTED_TEXTS];

const BY_HAND: Record<string, readonly string[]> = {
  task_id: TASKS,
  depends_on_task_id: TASKS,
  dependencies: TASKS,
  status: STATUSES,
  resource: [...RESOURCES, ...RESOURCES, ...NAUGHTY_PATHS],
  lock_scope: [...RESOURCES, ...RESOURCES, ...NAUGHTY_PATHS],
  forbidden_scope: [...RESOURCES, ...RESOURCES, ...NAUGHTY_PATHS],
  files_touched: [...RESOURCES, ...NAUGHTY_PATHS],
  worklog_path: [...texts('worklogs/T-12.jsonl', 'log.jsonl'), ...NAUGHTY_PATHS],
  evidence_files: NAUGHTY_PATHS,
  context_files: NAUGHTY_PATHS,
  rollback_files: NAUGHTY_PATHS,
  timeout_seconds: ['29', '30', '31', '60', '1200', '30.5', '1e21', '"30"'],
  heartbeat_interval_seconds: ['4', '5', '29', '30', '31', '1200', '5.0', '5.5', 'null'],
  retry_after_ms: ['0', '-1', '1.5', '1000.0'],
  x_base_version: ['0', '-1', '7', '"7"'],
  concurrency: ['0', '1', '1000', '1001', '2.5'],
  active: ['true', 'false', '0', '"true"', 'null'],
  timed_out: ['true', 'false', 'null'],
  now: MOMENTS,
  timestamp: MOMENTS,
  generated_at: MOMENTS,
  last_heartbeat_at: [...MOMENTS, 'null'],
  created_at: MOMENTS,
  owner: texts('agent-1', 'agent-2', '', ' '),
  delta_id: texts('d-1', 'd-2', 'd-3', '', ' '),
  reason: PROSE,
  code: [...texts('LOCK_CONFLICT', 'TASK_TIMEOUT', 'NO_SUCH_CODE', 'lower', '9X', '', 'SCHEMA_INVALID'), 'null'],
  acceptance_criteria: PROSE,
  criteria: PROSE,
  criterion: PROSE,
  evidence: PROSE,
  value: PROSE,
  notes_for_orchestrator: PROSE,
  decision: PROSE,
  result: PROSE,
  next_step: PROSE,
  actor: PROSE,
  action: PROSE,
  schema_version: [
    ...texts('1.0.0', '1.9.10', '2.0.0', '0.9.0', '1', '1.0', 'v1.0.0', '', ' ', '1.0.0 ', '01.0.0', '1.x.0', 'one'),
    ...['1', 'null', '1.0'],
  ],
  run_id: texts(
    '3f56dc4d-35cf-4f97-925c-0b04a6fe8bf4',
    '3F56DC4D-35CF-4F97-925C-0B04A6FE8BF4',
    '11111111-1111-4111-8111-111111111111',
    '11111111-1111-1111-8111-111111111111',
    '11111111-1111-4111-c111-111111111111',
    '------------------------------------',
    '3f56dc4d35cf4f97925c0b04a6fe8bf4',
  ),
};

const NUMBERS = Array.from({ length: 40 }, (_, index) => index);
const MANY_TASKS = texts(...NUMBERS.map((number) => `T-${number}`));
const MANY_FILES = texts(
  ...NUMBERS.flatMap((n) => [`m${n}/a`, `m${n}/b/c`, `M${n}/b/d.ts`, `m${n}/b/e/f`, `n${n}`, `n${n}/`]),
);

/** Harmless values, so many that long lists of them seldom meet: some ledgers and lock tables must be right. */
export const TAME_VALUES: FieldValues = new Map([
  ['task_id', MANY_TASKS],
  ['dependencies', MANY_TASKS],
  ['depends_on_task_id', MANY_TASKS],
  ['resource', MANY_FILES],
  ['lock_scope', MANY_FILES],
  ['forbidden_scope', MANY_FILES],
  ['files_touched', MANY_FILES],
  ['delta_id', texts(...NUMBERS.map((number) => `d-${number}`))],
  ['status', texts('todo', 'done', 'blocked', 'in_progress')],
  ['active', ['true', 'true', 'false']],
]);

/** Allowed values and bounds of every named field, over all schemas. */
export function fieldValues(schemas: readonly object[]): FieldValues {
  const values = new Map<string, Set<string>>();
  const add = (name: string, ...found: readonly string[]): void => {
    const known = values.get(name) ?? new Set<string>();
    for (const value of found) known.add(value);
    values.set(name, known);
  };
  for (const schema of schemas) collect(schema, '', add);
  for (const [name, found] of Object.entries(BY_HAND)) add(name, ...found);
  return new Map([...values].map(([name, found]) => [name, [...found]]));
}

type Add = (name: string, ...found: readonly string[]) => void;

function collect(node: unknown, name: string, add: Add): void {
  if (Array.isArray(node)) for (const inner of node) collect(inner, name, add);
  if (typeof node !== 'object' || node === null || Array.isArray(node)) return;
  const schema = node as Record<string, unknown>;
  if (name !== '') add(name, ...edgesOf(schema));
  for (const [keyword, inner] of Object.entries(schema)) {
    if (keyword === 'enum' || keyword === 'const' || keyword === 'default') continue;
    if (keyword !== 'properties' && keyword !== 'definitions') collect(inner, name, add);
    else for (const [field, shape] of Object.entries(inner as object)) collect(shape, field, add);
  }
}

function edgesOf(schema: Record<string, unknown>): string[] {
  const edges: unknown[] = [...((schema.enum as unknown[]) ?? []), ...('const' in schema ? [schema.const] : [])];
  for (const keyword of ['minimum', 'maximum', 'exclusiveMinimum'] as const) {
    const bound = schema[keyword];
    if (typeof bound === 'number') edges.push(bound - 1, bound, bound + 1, bound + 0.5);
  }
  for (const keyword of ['minLength', 'maxLength'] as const) {
    const length = schema[keyword];
    if (typeof length !== 'number') continue;
    for (const count of [length - 1, length, length + 1])
      if (count >= 0) edges.push('x'.repeat(count), '😀'.repeat(count));
  }
  return edges.map((edge) => JSON.stringify(edge));
}
