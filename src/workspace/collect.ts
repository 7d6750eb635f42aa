import { readAnswer } from '../contracts/job/read-answer.js';
import type { DeedProblem, Inventory, JobDeeds, Reading } from '../core/job/job-deeds.js';
import type { EventStore } from '../engine/ports.js';
import { allEnded } from './all-ended.js';
import {
  changesBetween,
  commitBefore,
  commitFor,
  dropWorkspaceLocks,
  readHead,
  workspacePlace,
  writeTree,
} from './commit-work.js';
import type { Deed } from './deed.js';
import { awayProblem } from './deed-problem.js';
import { readEvidence } from './evidence.js';
import { fitting } from './fit-event.js';
import { oneLine, SUBJECT_LENGTH_MAX } from './one-line.js';
import { lookAtRefs, publish } from './publish.js';
import { stageAll } from './stage-all.js';
import { workspaceProblem } from './workspace-problem.js';
import { readRecord, type WorkspaceRecord } from './workspace-record.js';

const ADVICE_FILES_MAX = 100;
/** Together well below what an event holds. */
const EVIDENCE_BYTES_MAX = 24 * 1024;
const PATHS_BYTES_MAX = 8 * 1024;
const WARNINGS_BYTES_MAX = 8 * 1024;
const WARNING_LENGTH_MAX = 300;

type Input = JobDeeds['collect']['input'];
type Work = Pick<Reading, 'commit' | 'changed' | 'unnamed'> & { warnings: string[] };

/** Reads an answer, looks at what it names, and keeps the workspace as the handoff left it. */
export async function collect(
  deed: Deed,
  store: Pick<EventStore, 'body'>,
  input: Input,
): Promise<Reading | DeedProblem> {
  const { options, errand, folder } = deed;
  const bytes = await store.body(input.answer.sha256);
  if (!bytes) throw new Error(`the answer ${input.answer.sha256} is not in the store`);
  // A byte order mark is text around the object, too.
  const answer = readAnswer(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes), {
    exact: input.exact,
    job: deed.run,
  });
  deed.reported = answer.reported;
  const away = workspaceProblem(folder.workspace);
  if (away) {
    const problem = `${awayProblem(away, folder.workspace)} Resubmit.`;
    return { kind: 'workspace', problem, reported: answer.reported };
  }

  const named = answer.fault?.kind === 'path' ? [] : (answer.response?.evidence_files ?? []);
  const limits = { clock: options.clock, signal: errand.signal };
  const looked = await readEvidence(folder.workspace, named, limits);
  const summary = answer.response?.summary_for_supervisor ?? null;
  const work = await keepWork(deed, input, summary, looked.evidence);
  const { evidence, missing } = looked;
  const { unnamed } = work;
  const warnings = [
    ...answer.warnings,
    ...work.warnings,
    ...(unnamed.length > 0 ? [`changed, but not named as evidence: ${unnamed.slice(0, 5).join(', ')}`] : []),
  ].map((warning) => warning.slice(0, WARNING_LENGTH_MAX));
  return {
    action: answer.response?.action ?? null,
    fault: answer.fault ?? looked.fault,
    violation: answer.violation,
    summary: summary === null ? null : deed.seal(summary),
    ...fittingInventory(deed, { evidence, missing, unnamed, warnings }),
    changed: work.changed,
    reported: answer.reported,
    advice: missing.length > 0 ? deed.seal(adviceOn(missing)) : null,
    commit: work.commit,
  };
}

/** What an event has no room for is kept whole beside it, and said. */
function fittingInventory(deed: Deed, all: Inventory): Inventory & Pick<Reading, 'whole'> {
  const kept = {
    evidence: fitting(all.evidence, EVIDENCE_BYTES_MAX),
    missing: fitting(all.missing, PATHS_BYTES_MAX),
    unnamed: fitting(all.unnamed, PATHS_BYTES_MAX),
    warnings: fitting(all.warnings, WARNINGS_BYTES_MAX),
  };
  const left = (Object.keys(kept) as (keyof Inventory)[])
    .map((list) => [list, all[list].length - kept[list].length] as const)
    .filter(([, count]) => count > 0);
  if (left.length === 0) return kept;
  const said = left.map(([list, count]) => `${count} more of ${list}`).join(', ');
  const warning = `not listed here, but in the history: ${said}`;
  return { ...kept, warnings: [warning, ...kept.warnings], whole: deed.seal(JSON.stringify(all)) };
}

/** Null without one, which the job knows as well as the record. */
function repositoryOf({ folder }: Deed, { workspace }: Input): WorkspaceRecord['repository'] {
  return workspace.branch === null ? null : (readRecord(folder)?.repository ?? null);
}

async function withoutWorkspace(deed: Deed, input: Input): Promise<Work> {
  const commit = repositoryOf(deed, input) ? (await readHead(deed)).commit : null;
  return { commit, changed: { files: 0, added: 0, removed: 0 }, unnamed: [], warnings: [] };
}

async function keepWork(
  deed: Deed,
  input: Input,
  summary: string | null,
  evidence: readonly { path: string }[],
): Promise<Work> {
  const { handoff, phase } = input;
  const repository = repositoryOf(deed, input);
  if (!repository) return withoutWorkspace(deed, input);
  dropWorkspaceLocks(deed);
  const place = workspacePlace(deed);
  const { git, refs } = deed;
  const [warnings, head] = await allEnded(stageAll(git, place, repository.format), readHead(deed));
  const tree = await writeTree(deed, place);
  const message = {
    subject: oneLine(deed.options.scrub, `${phase}: ${summary ?? 'no summary'}`, SUBJECT_LENGTH_MAX),
    handoff: `${handoff} ${deed.errand.key}`,
  };
  const before = commitBefore(head, message);
  const [commit, changes, shown] = await allEnded(
    commitFor(deed, tree, message, head),
    before === head.commit && tree === head.tree ? [] : changesBetween(deed, before, tree),
    lookAtRefs(git, repository.commonDir, refs),
  );
  const said = await publish(git, repository.commonDir, refs, commit, shown);
  const known = new Set(evidence.map(({ path }) => path));
  const sum = (of: 'added' | 'removed'): number => changes.reduce((total, change) => total + change[of], 0);
  return {
    commit,
    changed: { files: changes.length, added: sum('added'), removed: sum('removed') },
    unnamed: changes.filter(({ path, gone }) => !gone && !known.has(path)).map(({ path }) => path),
    warnings: [...warnings, ...said],
  };
}

function adviceOn(missing: readonly string[]): string {
  const list = missing.slice(0, ADVICE_FILES_MAX).map((file) => `- ${file}`);
  const rest = missing.length > list.length ? [`and ${missing.length - list.length} more`] : [];
  return [
    'Your last answer was turned down: these evidence files do not exist in the workspace, or are folders:',
    ...list,
    ...rest,
    'Create them, or name only files that exist, with paths relative to the workspace.',
  ].join('\n');
}
