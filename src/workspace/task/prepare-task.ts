import { appendFileSync, existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import type { WorklogEntry } from '../../contracts/generated/types/worklog-entry.js';
import type { Workspace } from '../../core/job/job-deeds.js';
import type { TaskDeeds } from '../../core/task/task-deeds.js';
import type { EventStore } from '../../engine/ports.js';
import { Deed } from '../deed.js';
import { fillWorkspace } from '../fill-workspace.js';
import { excludeLine } from '../ignored-files.js';
import { makeJobGit } from '../job-git.js';
import { removeFolder } from '../remove-folder.js';
import { findRepository } from '../user-repository.js';
import { workspaceProblem } from '../workspace-problem.js';
import { readRecord, type TaskRecord, writeRecord } from '../workspace-record.js';
import { layScope } from './lay-scope.js';
import { findTip } from './ledger-refs.js';
import { layWorklog } from './worklog-copy.js';

type Input = TaskDeeds['prepare']['input'];
type Result = TaskDeeds['prepare']['result'];
type Ready = Workspace & { notes: readonly string[] };

/**
 * Makes the folder of one attempt at a task. Until it is recorded as prepared nobody has worked in it, so whatever an
 * earlier try left is thrown away.
 */
export async function prepareTask(deed: Deed, store: Pick<EventStore, 'body'>, input: Input): Promise<Result> {
  const { folder, git } = deed;
  const record = readRecord(folder);
  if (record?.prepared && workspaceProblem(folder.workspace) === null) return record.prepared as Ready;
  for (const rest of [folder.workspace, folder.git]) removeFolder(rest);
  const found = await findRepository(git, input.repository.folder);
  if ('problem' in found) return { ...found, kind: 'workspace' };
  const ledger = ledgerDeed(deed, input.ledger);
  const at = await findTip(ledger, found);
  if ('problem' in at) return { ...at, kind: 'workspace' };

  const { commonDir, format, top } = found;
  const repository = { commonDir, format, sparse: false };
  writeRecord(folder, { repository, prepared: null });
  const wanted = { folder: input.repository.folder, base: null, dirty: false, paths: [] };
  mkdirSync(folder.workspace, { recursive: true, mode: 0o700 });
  makeJobGit(deed, found, wanted, at.tip);
  const hidden = excludeLine(input.spec.worklog_path);
  if (hidden !== null) appendFileSync(path.join(folder.git, 'info', 'exclude'), `${hidden}\n`);
  const problem = await fillWorkspace(deed, found, wanted, at.tip);
  if (problem) return { ...problem, kind: 'workspace' };
  const laid = layTask(folder.workspace, input.spec, await earlierLines(store, input, deed.sinceMs));
  if ('refused' in laid) {
    removeFolder(folder.workspace);
    return laid;
  }
  const submodules = existsSync(path.join(folder.workspace, '.gitmodules'));
  const notes = [...found.notes, ...(submodules ? ['The repository has submodules; they are not filled in.'] : [])];
  const prepared: Ready = { folder: folder.workspace, branch: ledger.refs.branch, base: at.tip, notes };
  writeRecord(folder, { repository, prepared, task: { ...laid, top } });
  return prepared;
}

/** The same errand, in the name of the ledger. */
function ledgerDeed({ options, errand }: Deed, ledger: string): Deed {
  const { held, key, signal } = errand;
  return new Deed(options, { held, key, signal, job: ledger });
}

const LINE_END = 0x0a;

/** Baton writes the first entry of an attempt: whoever overwrites instead of appending is found out. */
async function earlierLines(
  store: Pick<EventStore, 'body'>,
  { worklog, ledger, spec }: Input,
  nowMs: number,
): Promise<Uint8Array> {
  const bodies = worklog.map(async ({ sha256 }) => {
    const bytes = await store.body(sha256);
    if (!bytes) throw new Error(`the worklog ${sha256} is not in the store`);
    return bytes.at(-1) === LINE_END ? bytes : Buffer.concat([bytes, Buffer.from('\n')]);
  });
  const first = `${JSON.stringify(firstEntry(ledger, spec, nowMs))}\n`;
  return Buffer.concat([...(await Promise.all(bodies)), Buffer.from(first)]);
}

function firstEntry(run_id: string, { task_id }: Input['spec'], nowMs: number): WorklogEntry {
  return {
    ...{
      timestamp: new Date(nowMs).toISOString(),
      run_id,
      task_id,
      actor: 'baton',
      action: 'assign',
      files_touched: [],
    },
    ...{ decision: 'an attempt begins', result: 'in_progress', next_step: 'work inside lock_scope, then hand in' },
  };
}

/** The worklog comes first: a scope in which it lies is a folder. */
function layTask(
  workspace: string,
  spec: Input['spec'],
  begin: Uint8Array,
): Omit<TaskRecord, 'top'> | { refused: string } {
  const worklog = layWorklog(workspace, spec.worklog_path, begin);
  if ('refused' in worklog) return worklog;
  const scope = layScope(workspace, spec);
  return 'refused' in scope ? scope : { ...scope, worklog };
}
