/** Contract 003, "Artifact: Worklog Entry". */

import { errorCode, generated, known, resource, runId, taskId } from './common-shapes.js';
import { normal } from './paths.js';
import { anyText, type Finding, first, listOf, moment, optional, record, text, unless } from './shapes.js';
import { noOrders, noSecrets } from './untrusted.js';

type Entry = Record<'actor' | 'action' | 'decision' | 'result' | 'next_step', string> & {
  files_touched: string[];
  code?: string;
  evidence?: string;
};

export const worklogEntryShape = record({
  schema_version: known.schema_version,
  timestamp: moment,
  run_id: runId,
  task_id: taskId,
  actor: text(),
  action: text(),
  files_touched: listOf(resource),
  decision: text(),
  result: text(),
  next_step: text(),
  code: optional(errorCode),
  evidence: optional(anyText),
  ...generated,
});

export function worklogEntryOpinion(value: unknown, codes: ReadonlySet<string>): Finding {
  const { actor, action, decision, result, next_step, evidence = '', files_touched, code } = value as Entry;
  return first(
    () => normal(files_touched),
    () => unless(code === undefined || codes.has(code), 'SCHEMA_INVALID'),
    () => noSecrets([actor, action, decision, result, next_step, evidence, ...files_touched]),
    () => noOrders([decision, result]),
  );
}
