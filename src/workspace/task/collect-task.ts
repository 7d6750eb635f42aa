import type { PlanTask } from '../../contracts/generated/types/plan.js';
import type { SubagentResult } from '../../contracts/generated/types/subagent-result.js';
import type { WorklogEntry } from '../../contracts/generated/types/worklog-entry.js';
import { reportedUsage } from '../../contracts/job/reported-usage.js';
import { subagentResult } from '../../contracts/operator/subagent-result.js';
import { check, checkAgainst } from '../../contracts/shared/contract.js';
import { type ErrorCode, isErrorCode } from '../../contracts/shared/errors.js';
import type { DeedProblem } from '../../core/job/job-deeds.js';
import { refusedWords, refusedWrite } from '../../core/task/refused-write.js';
import type { TaskDeeds, TaskReading } from '../../core/task/task-deeds.js';
import type { EventStore } from '../../engine/ports.js';
import type { Scrub } from '../../engine/scrub.js';
import type { Deed } from '../deed.js';
import { awayProblem } from '../deed-problem.js';
import { fitting } from '../fit-event.js';
import { oneLine } from '../one-line.js';
import { workspaceProblem } from '../workspace-problem.js';
import { readRecord } from '../workspace-record.js';
import { printedLog } from './printed-log.js';
import { type ResultRead, readResult } from './read-result.js';
import { keepTaskWork, stageTaskWork } from './task-work.js';
import { readWorklog } from './worklog-copy.js';
import { worklogLines } from './worklog-lines.js';

type Input = TaskDeeds['collect']['input'];
type Outcome = TaskReading['outcome'];

const REASON_LENGTH_MAX = 500;
const WARNING_LENGTH_MAX = 300;
const RETRY_MS_MAX = 24 * 3_600_000;

/** Reads the answer of a sub-agent and holds it against its assignment, its diff and its worklog. */
export async function collectTask(
  deed: Deed,
  store: Pick<EventStore, 'body'>,
  input: Input,
): Promise<TaskReading | DeedProblem> {
  const { folder, options } = deed;
  const bytes = await store.body(input.answer.sha256);
  if (!bytes) throw new Error(`the answer ${input.answer.sha256} is not in the store`);
  const read = await readResult(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes));
  const usage = 'value' in read ? reportedUsage(read.value) : { usage: null, warnings: [] };
  deed.reported = usage.usage;
  const away = workspaceProblem(folder.workspace);
  if (away) return { kind: 'workspace', problem: awayProblem(away, folder.workspace), reported: usage.usage };
  const record = readRecord(folder);
  if (!record?.task || !record.repository) throw new Error(`${folder.root} is no workspace of a task`);

  const copy = await readWorklog(folder.workspace, record.task.worklog);
  const named = { run_id: input.ledger, task_id: input.spec.task_id };
  const added = 'added' in copy ? worklogLines(copy.added.toString('utf8'), named, options.scrub) : NO_LINES;
  const work = await stageTaskWork(deed, record.repository, record.task, input);
  const refused = refusedWrite(printedLog(folder), folder.workspace, input.spec);
  const facts = factsAgainst(work.violation, copy) ?? refusedBy(refused, input);
  const outcome = facts ?? judge(read, input, added.last, options.scrub);
  const commit = outcome.status === 'done' ? await keepTaskWork(deed, record.repository, work, input) : null;
  const warnings = [
    ...('value' in read ? read.warnings : []),
    ...usage.warnings,
    ...('added' in copy ? copy.warnings : []),
    ...added.warnings,
    ...work.warnings,
  ];
  return {
    outcome,
    commit,
    changed: work.changed,
    result: 'value' in read ? deed.seal(options.scrub.json(read.value).text) : null,
    worklog: added.lines.length > 0 ? deed.seal(`${added.lines.join('\n')}\n`) : null,
    proven: 'value' in read ? proven(read.value, input.spec) : 0,
    reported: usage.usage,
    warnings: fitting(warnings.map((one) => oneLine(options.scrub, one, WARNING_LENGTH_MAX))),
  };
}

const NO_LINES = { lines: [], last: null, warnings: [] };

/** What was done counts before what is said about it. */
function factsAgainst(
  violation: { path: string; because: string } | undefined,
  copy: Awaited<ReturnType<typeof readWorklog>>,
): Outcome | null {
  if (violation) {
    const path = JSON.stringify(violation.path.slice(0, REASON_LENGTH_MAX));
    return { status: 'failed', code: 'SCOPE_VIOLATION', reason: `${path} was changed and ${violation.because}` };
  }
  return 'problem' in copy ? { status: 'failed', code: 'NON_COMPLIANT', reason: copy.problem } : null;
}

/** Whoever was kept from it has tried all the same. */
function refusedBy(path: string | null, { spec }: Input): Outcome | null {
  return path === null ? null : { status: 'failed', code: 'SCOPE_VIOLATION', reason: refusedWords(path, spec) };
}

function judge(read: ResultRead, { ledger, spec }: Input, last: WorklogEntry | null, scrub: Scrub): Outcome {
  const failed = (code: ErrorCode, reason: string): Outcome => {
    return { status: 'failed', code, reason: oneLine(scrub, reason, REASON_LENGTH_MAX) };
  };
  if ('reason' in read) return failed('SCHEMA_INVALID', read.reason);
  const alone = check(subagentResult, read.value);
  if (!alone.allow) return failed(alone.code, alone.reason);
  const result = read.value as SubagentResult;
  const answer = checkAgainst(subagentResult, result, { run_id: ledger, task: spec });
  if (!answer.allow) return failed(answer.code, answer.reason);
  const { status, notes_for_orchestrator: notes } = result;
  if (status === 'done') return { status };
  const said = oneLine(scrub, notes.join(' '), REASON_LENGTH_MAX);
  return {
    status,
    code: codeOf(result, last),
    reason: said === '' ? `the agent says ${status}, and nothing more` : said,
    ...retryAfter(result),
  };
}

function codeOf({ status, x_code: said }: SubagentResult, last: WorklogEntry | null): ErrorCode {
  const named = [said, last?.code].find((code) => typeof code === 'string' && isErrorCode(code));
  return (named as ErrorCode | undefined) ?? (status === 'blocked' ? 'TASK_BLOCKED' : 'TASK_FAILED');
}

function retryAfter({ x_retry_after_ms: said }: SubagentResult): { retryAfterMs?: number } {
  return typeof said === 'number' && said > 0 ? { retryAfterMs: Math.min(Math.round(said), RETRY_MS_MAX) } : {};
}

/** A result that does not hold may be anything. */
function proven(value: object, { acceptance_criteria }: PlanTask): number {
  const { acceptance_check: said } = value as { acceptance_check?: unknown };
  const passed = (Array.isArray(said) ? said : []).flatMap((one: unknown) => {
    const { criterion, status, evidence } = (one ?? {}) as Record<string, unknown>;
    return status === 'pass' && typeof evidence === 'string' && evidence.trim() !== '' ? [criterion] : [];
  });
  return acceptance_criteria.filter((criterion) => passed.includes(criterion)).length;
}
