import { STATE_FILE } from '../contracts/bridge/bridge-file-names.js';
import { BRIDGE_VERSION } from '../contracts/bridge/bridge-version.js';
import { type KeptAnswer, keptAnswers, readCheckpointState } from '../contracts/bridge/read-checkpoint-state.js';
import { type RequestRecord, type RequestStatus, wasAnswered } from '../contracts/bridge/request-record.js';
import type { BridgeResponse } from '../contracts/generated/types/bridge-response.js';
import type { CheckpointState } from '../contracts/generated/types/checkpoint-state.js';
import { BatonError } from '../contracts/shared/errors.js';
import type { BridgeOptions, PhasePlace } from './bridge.js';
import type { BridgeFolder } from './bridge-folder.js';

/** The program ended because of an ask: nothing was written after this. */
const AGENT_FAILED = 'agent_failed';

type CompletedPhase = NonNullable<CheckpointState['completed_phases']>[number];
type Paths = Pick<BridgeOptions, 'output_path' | 'project_path' | 'template_name'>;

/** What the program has behind it: phases, asks, answers and its own data. Only `save` touches the disk. */
export class Checkpoint {
  /** As it was read; null when the program begins anew. */
  readonly found: CheckpointState | null;
  readonly data: Record<string, unknown>;
  private readonly folder: BridgeFolder;
  private readonly paths: { output_path: string; project_path?: string; template_name?: string };
  private readonly phases: CompletedPhase[];
  private readonly requests: RequestRecord[];
  private readonly answers: KeptAnswer[];

  constructor(folder: BridgeFolder, resume: boolean, paths: Paths) {
    this.folder = folder;
    this.found = resume ? readState(folder) : null;
    const kept = structuredClone(this.found);
    this.paths = { output_path: folder.dir, ...pathsOf(kept ?? {}), ...pathsOf(paths) };
    this.data = kept?.phase_data ?? {};
    this.phases = kept?.completed_phases ?? [];
    this.requests = (kept?.agent_requests ?? []) as RequestRecord[];
    this.answers = kept ? keptAnswers(kept) : [];
    if (kept?.checkpoint_name === AGENT_FAILED) this.abandonFailed();
  }

  save({ phase, phase_name, checkpoint_name }: PhasePlace & { checkpoint_name: string }): void {
    const state: CheckpointState = {
      version: BRIDGE_VERSION,
      phase,
      phase_name,
      checkpoint_name,
      created_at: new Date().toISOString(),
      ...this.paths,
      phase_data: { ...this.data, ...(this.answers.length > 0 && { agent_answers: this.answers }) },
      completed_phases: this.phases,
      agent_requests: this.requests,
    };
    refuseUnreadable(state);
    this.folder.replace(STATE_FILE, state);
  }

  saveFailure(place: PhasePlace): void {
    this.save({ ...place, checkpoint_name: AGENT_FAILED });
  }

  /** Said again after a resume it is the same phase; false then. */
  complete({ phase, phase_name, result_summary }: PhasePlace & { result_summary: string }): boolean {
    if (this.phases.some((done) => done.phase === phase && done.phase_name === phase_name)) return false;
    this.phases.push({ phase, phase_name, completed_at: new Date().toISOString(), result_summary });
    return true;
  }

  /** The answer to the program's n-th ask of this agent in this phase. */
  answerAt(phase: number, agent_name: string, index: number): BridgeResponse | undefined {
    return this.answers.filter((kept) => kept.phase === phase && kept.agent_name === agent_name)[index]?.response;
  }

  pending(phase: number, agent_name: string): RequestRecord | undefined {
    return this.requests.find(
      (request) => request.status === 'pending' && request.phase === phase && request.agent_name === agent_name,
    );
  }

  isKnown(request_id: string): boolean {
    return this.requests.some((request) => request.request_id === request_id);
  }

  /** Asked, and over: answered, or given up for another. What answers it comes too late. */
  isOver(request_id: string): boolean {
    return this.requests.some(({ request_id: id, status = 'pending' }) => id === request_id && status !== 'pending');
  }

  hasAnswers(): boolean {
    return this.requests.some(wasAnswered);
  }

  ask(record: RequestRecord): void {
    this.requests.push(record);
  }

  /** Says whether that is new. */
  mark(request_id: string, status: RequestStatus): boolean {
    const request = this.requests.find((candidate) => candidate.request_id === request_id);
    if (!request || request.status === status) return false;
    request.status = status;
    return true;
  }

  keep(answer: KeptAnswer): void {
    this.mark(answer.response.request_id, 'completed');
    this.answers.push(answer);
    this.data.agent_answers = this.answers;
  }

  /** Where the same was asked and nothing usable came. */
  inVain(fingerprint: string): RequestRecord[] {
    return this.requests.filter((request) => request.fingerprint === fingerprint && wasInVain(request));
  }

  isReworded(request_id: string, fingerprint: string): boolean {
    const asked = this.requests.find((request) => request.request_id === request_id)?.fingerprint;
    return asked !== undefined && asked !== fingerprint;
  }

  /** Whoever starts a program again that ended at an ask wants the ask tried again, with nothing held against it. */
  private abandonFailed(): void {
    const inVain = this.requests.filter(wasInVain);
    const last = inVain.at(-1);
    const index = this.answers.findLastIndex(({ response }) => response.request_id === last?.request_id);
    if (index >= 0) this.answers.splice(index, 1);
    for (const request of inVain) if (request === last || request.status === 'rejected') request.status = 'abandoned';
  }
}

function readState(folder: BridgeFolder): CheckpointState | null {
  const bytes = folder.read(STATE_FILE);
  if (bytes === null) return null;
  const state = readCheckpointState(bytes);
  if (!('allow' in state)) return state;
  const { code, reason, details } = state;
  const file = folder.file(STATE_FILE);
  const ours = code === 'UNKNOWN_SCHEMA_VERSION' ? code : 'BRIDGE_STATE_INVALID';
  throw new BatonError(ours, `${file}: ${reason}`, { file, ...details });
}

/** What could not be read again must not replace what can. */
function refuseUnreadable(state: CheckpointState): void {
  let text: string;
  try {
    text = JSON.stringify(state);
  } catch (failure) {
    throw new BatonError('SCHEMA_INVALID', `the checkpoint is not JSON: ${(failure as Error).message}`);
  }
  const read = readCheckpointState(text);
  if ('allow' in read)
    throw new BatonError(read.code, `the checkpoint could not be read again: ${read.reason}`, read.details);
}

function wasInVain({ status }: RequestRecord): boolean {
  return status === 'failed' || status === 'rejected';
}

function pathsOf({ output_path, project_path, template_name }: Paths): Paths {
  return {
    ...(output_path !== undefined && { output_path }),
    ...(project_path !== undefined && { project_path }),
    ...(template_name !== undefined && { template_name }),
  };
}
