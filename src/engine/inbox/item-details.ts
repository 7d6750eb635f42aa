import type { AgentRequest } from '../../contracts/generated/types/agent-request.js';
import type { Envelope } from '../../contracts/generated/types/envelope.js';
import { titleOf } from '../../core/bridge/bridge-decider.js';
import type { LiveBridge } from '../../core/bridge/bridge-state.js';
import type { LiveEnvelope } from '../../core/envelope/envelope-state.js';
import type { CheckResult } from '../../core/job/job-deeds.js';
import type { JobEvent } from '../../core/job/job-messages.js';
import type { LiveJob } from '../../core/job/job-state.js';
import { exhausted } from '../../core/kernel/budget.js';
import type { BodyRef, Wanted } from '../../core/kernel/effect.js';
import type { LandingState } from '../../core/landing/landing-decider.js';
import type { LiveLedger } from '../../core/ledger/ledger-state.js';
import type { LiveSession } from '../../core/session/session-state.js';
import type { SystemState } from '../../core/system/system-messages.js';
import type { LiveTask } from '../../core/task/task-state.js';
import type { Machines } from '../machines.js';
import type { EventStore, InboxRow } from '../ports.js';
import { readRun } from '../read-run.js';
import { sessionDetails } from './session-details.js';

type Sources = { store: EventStore; machines: Machines; system(): Promise<SystemState | undefined> };

/** Enough for the last attempt with its checks, and the one before. */
const EVENTS_BACK = 24;
const WORDS_MAX = 2_000;

/** What a person needs to decide, from the log. An agent's own words stand under `words`. */
export async function itemDetails(sources: Sources, item: InboxRow): Promise<Record<string, unknown>> {
  const { run, kind, key } = item;
  if (kind === 'login') {
    const logins = [...((await sources.system())?.logins ?? [])].filter(([, { loss }]) => loss !== null);
    return { logins: logins.map(([login]) => login) };
  }
  const folded = await readRun(sources.store, sources.machines, run);
  if (folded?.machine.kind === 'landing') return landingDetails(folded.state as LandingState);
  if (folded?.machine.kind === 'ledger') return blockerDetails(sources.store, folded.state as LiveLedger, key);
  if (folded?.machine.kind === 'envelope') return envelopeDetails(sources.store, folded.state as LiveEnvelope);
  if (folded?.machine.kind === 'bridge') return bridgeDetails(sources.store, folded.state as LiveBridge);
  if (folded?.machine.kind === 'session') return sessionDetails(sources.store, folded.state as LiveSession, item);
  if (folded?.machine.kind === 'task') return taskDetails(folded.state as LiveTask);
  if (folded?.machine.kind !== 'job') return {};
  return jobDetails(sources, run, folded.state as LiveJob, folded.version);
}

/** What was asked for in the first place, and which stage wants to know. */
async function envelopeDetails(store: EventStore, { now, order }: LiveEnvelope): Promise<Record<string, unknown>> {
  const bytes = await store.body(now.document.sha256);
  const envelope = JSON.parse(new TextDecoder().decode(bytes ?? new TextEncoder().encode('{}'))) as Envelope;
  const { from: stage = envelope.current_stage } = now.progress.asked ?? {};
  return {
    ...{ about: now.standing.title, request: envelope.raw_input?.slice(0, WORDS_MAX), stage },
    ...{ agent: order.agent, pipeline: order.pipeline.name, user_id: envelope.user_id },
    ...(now.standing.waits?.id && {
      ...{ confirmation_id: now.standing.waits.id, steps: envelope.outputs?.plan?.steps },
      ...(now.progress.asked?.steps && { hash: now.progress.asked.steps }),
    }),
  };
}

/** What the orchestrator asks, whom, and where it runs. Its own words stand under `words`. */
async function bridgeDetails(store: EventStore, bridge: LiveBridge): Promise<Record<string, unknown>> {
  const { order, request } = bridge;
  const from = { about: titleOf(bridge), dir: order.dir, command: order.argv };
  if (!request) return from;
  const { request_id, agent_name, phase, phase_name, document, answerer } = request;
  const bytes = await store.body(document.sha256);
  const asked = JSON.parse(new TextDecoder().decode(bytes ?? new TextEncoder().encode('{}'))) as AgentRequest;
  const { prompt, context = {} } = asked;
  return {
    ...{ ...from, request_id, agent_name, phase, phase_name, agent: answerer?.agent ?? null },
    ...(prompt !== undefined && { words: prompt.slice(0, WORDS_MAX) }),
    ...(Object.keys(context).length > 0 && { context: JSON.stringify(context).slice(0, WORDS_MAX) }),
    document: document.sha256,
  };
}

function taskDetails({ order, stage }: LiveTask): Record<string, unknown> {
  const { spec, agent, ledger, attempt } = order;
  const about = { about: `${spec.task_id} ${spec.title}`, ledger, task_id: spec.task_id, attempt };
  return { ...about, ...(stage.name === 'approving' ? wantedDetails({ wanted: stage.wanted, agent }) : { agent }) };
}

async function blockerDetails(
  store: EventStore,
  { questions, tasks, dependents, order, halt, spent }: LiveLedger,
  key: string,
): Promise<Record<string, unknown>> {
  const task = [...questions].find(([question]) => `blocker-${question}` === key)?.[1].task ?? null;
  const row = task === null ? undefined : tasks.get(task);
  if (!row || task === null)
    return { about: order.objective, reason: halt?.reason ?? null, limits: order.limits, spent };
  const lines = ((await textOf(store, row.worklog.at(-1) ?? null)) ?? '').trim().split('\n');
  return {
    ...{ about: `${task} ${row.spec.title}`, task_id: task, code: row.code, reason: row.reason },
    attempts: row.attempts.map(({ owner, end, code }) => ({ owner, end, code })),
    ...{ agent: row.owner, timeout_seconds: row.spec.timeout_seconds },
    worklog: lines.at(-1) || null,
    waits_for: (dependents.get(task) ?? []).filter((other) => tasks.get(other)?.status === 'todo'),
    agents: [...new Set([order.agent, order.fallback, ...[...tasks.values()].map(({ spec }) => spec.agent ?? null)])]
      .filter((agent) => agent !== null && agent !== row.owner)
      .slice(0, AGENTS_TOLD_MAX),
  };
}

const AGENTS_TOLD_MAX = 9;

function landingDetails(landing: LandingState): Record<string, unknown> {
  if (landing.status === 'new') return {};
  const { order, outcome } = landing;
  const conflict = outcome?.type === 'conflict' ? { files: outcome.files } : {};
  const checks = outcome?.type === 'checks-failed' ? { checks: outcome.results } : {};
  return { about: order.title, job: order.job, folder: order.folder, into: order.into, ...conflict, ...checks };
}

async function jobDetails(
  { store }: Sources,
  run: string,
  { phase, spent, order, workspace, stage }: LiveJob,
  version: number,
): Promise<Record<string, unknown>> {
  const rows = await store.events(run, Math.max(0, version - EVENTS_BACK), EVENTS_BACK);
  const events = rows.map(({ type, data }) => ({ ...JSON.parse(data), type }) as JobEvent);
  const last = <Type extends JobEvent['type']>(type: Type) =>
    events.filter((event): event is Extract<JobEvent, { type: Type }> => event.type === type).at(-1);
  const asked = last('HandoffAsked');
  const ended = last('HandoffEnded');
  const checked = last('ChecksEnded')?.checked;
  const [collected, answered] = [last('HandoffCollected'), last('HandoffAnswered')];
  const words = await textOf(store, collected?.reading.summary ?? null);
  // Whoever was asked last may not have answered: then they are those of the one before.
  const said = events.find((event) => event.type === 'HandoffAsked' && event.handoff === collected?.handoff);
  const isFaulty = ended?.response === 'ERROR' && answered?.handoff === asked?.handoff;
  const answer = isFaulty ? await textOf(store, answered?.answer ?? null) : null;
  const reached = stage.name === 'resting' && stage.why === 'limit' ? exhausted(order.limits, spent) : undefined;
  return {
    ...{ about: order.title, phase },
    ...(reached && { limit_reached: reached }),
    ...(asked && { agent: asked.agent, handoff: `${run}/${asked.handoff}`, attempt: asked.attempt }),
    ...(stage.name === 'approving' ? wantedDetails(stage) : ended?.reason && { reason: ended.reason }),
    ...(words !== null && { words, words_by: said?.type === 'HandoffAsked' ? said.agent : null }),
    ...(answer !== null && { raw_response: answer }),
    ...(await failedChecks(store, checked?.results ?? [])),
    ...(checked?.protectedChanged.length && { protected_changed: checked.protectedChanged }),
    spent: { cost_usd: spent.costMicroUsd / 1_000_000, tokens: spent.tokens, seconds: spent.activeMs / 1_000 },
    limits: order.limits,
    ...(workspace?.branch && { branch: workspace.branch }),
  };
}

/** The end of what each has printed says most. */
async function failedChecks(
  store: EventStore,
  results: readonly CheckResult[],
): Promise<{ failed_checks?: readonly object[] }> {
  const failed = results.filter(({ exitCode }) => exitCode !== 0);
  if (failed.length === 0) return {};
  const checks = failed.map(async ({ argv, exitCode, output }) => {
    const printed = await bodyText(store, output);
    return { command: argv, exit_code: exitCode, output: printed?.slice(-WORDS_MAX) ?? null };
  });
  return { failed_checks: await Promise.all(checks) };
}

/** Exactly what is asked for: the hash binds the answer to it. */
function wantedDetails({ wanted, agent }: { wanted: Wanted; agent: string }): Record<string, unknown> {
  const { kind, what, cwd, why, hash } = wanted;
  return { agent, [kind === 'network' ? 'host' : 'command']: what, cwd, ...(why !== null && { why }), hash };
}

async function textOf(store: EventStore, ref: BodyRef | null): Promise<string | null> {
  return ref && ((await bodyText(store, ref))?.slice(0, WORDS_MAX) ?? null);
}

async function bodyText(store: EventStore, { sha256 }: BodyRef): Promise<string | undefined> {
  const bytes = await store.body(sha256);
  return bytes && new TextDecoder().decode(bytes);
}
