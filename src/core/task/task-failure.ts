import { backOffMs } from '../job/job-matrix.js';
import type { EffectResult, FailureKind } from '../kernel/effect.js';
import { PARK_MS_DEFAULT } from '../kernel/provider-wait.js';
import { refusedWords, refusedWrite } from './refused-write.js';
import type { TaskReading } from './task-deeds.js';
import type { LiveTask } from './task-state.js';

type Failed = Extract<EffectResult, { type: 'Failed' }>;
type Trouble = Extract<TaskReading['outcome'], { status: 'blocked' | 'failed' }>;

const RETRIES_MAX = 3;

/** What an ask without an answer comes to: it is asked again at a time, or that is what the ledger is told. */
export function afterFailure(task: LiveTask, failed: Failed): { againMs: number } | Trouble {
  const { failure, atMs, retryAfterMs } = failed;
  // Nobody who queues is asked before the login works again.
  if (failure === 'login') return { againMs: atMs };
  if (failure === 'limit') return { againMs: atMs + (retryAfterMs ?? PARK_MS_DEFAULT) };
  if (failure === 'network' && task.repeats < RETRIES_MAX) {
    return { againMs: atMs + backOffMs(task.repeats + 1, atMs, retryAfterMs) };
  }
  const { order, workspace } = task;
  const { agent } = order;
  const refused = failure === 'crash' ? refusedWrite(failed.reason, workspace?.folder ?? '/', order.spec) : null;
  if (refused !== null) return { status: 'failed', code: 'SCOPE_VIOLATION', reason: refusedWords(refused, order.spec) };
  return { ...TROUBLES[failure], reason: `${agent}${failure === 'timeout' ? '' : ':'} ${failed.reason}` };
}

const AGENT: Pick<Trouble, 'status' | 'code'> = { status: 'failed', code: 'AGENT_FAILED' };
/** Trying again is of no use before a person has done something. */
const PERSON: Pick<Trouble, 'status' | 'code'> = { status: 'blocked', code: 'TASK_BLOCKED' };

const TROUBLES: Readonly<Record<FailureKind, Pick<Trouble, 'status' | 'code'>>> = {
  network: AGENT,
  limit: AGENT,
  login: AGENT,
  crash: AGENT,
  refused: AGENT,
  timeout: { status: 'blocked', code: 'TASK_TIMEOUT' },
  'not-found': { status: 'failed', code: 'AGENT_NOT_FOUND' },
  auth: PERSON,
  'disk-full': PERSON,
  workspace: PERSON,
  spent: PERSON,
};
