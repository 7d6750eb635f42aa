import { createHash, randomUUID } from 'node:crypto';
import { CHECKPOINT_EXIT_CODE, REQUEST_FILE } from '../contracts/bridge/bridge-file-names.js';
import type { BridgeRequest } from '../contracts/bridge/bridge-request.js';
import { createAgentRequest } from '../contracts/bridge/create-agent-request.js';
import { createBridgeResponse } from '../contracts/bridge/create-bridge-response.js';
import { requestFingerprint } from '../contracts/bridge/request-fingerprint.js';
import type { RequestRecord } from '../contracts/bridge/request-record.js';
import type { BridgeResponse } from '../contracts/generated/types/bridge-response.js';
import type { AgentInvoker, Answer, Ask, BridgeOptions } from './bridge.js';
import { BridgeCancelled } from './bridge-cancelled.js';
import { type AskFailure, BridgeFailed } from './bridge-failed.js';
import type { BridgeFolder } from './bridge-folder.js';
import type { Checkpoint } from './checkpoint.js';
import { clearForRequest, removeAnswered, responseTo, waitingRequest } from './file-exchange.js';
import { invokeAtOnce } from './invoke-at-once.js';
import { answerOf, judgeAnswer } from './judge-answer.js';

/** Two identical requests without a usable answer are enough: the third is not made. */
const IN_VAIN_MAX = 2;

/** The asks of one program, in the order in which it makes them. */
export class Asks {
  private readonly folder: BridgeFolder;
  private readonly checkpoint: Checkpoint;
  private readonly invoker: AgentInvoker | undefined;
  private readonly exit: (code: number) => never;
  private readonly log: (line: string) => void;
  private readonly madeBefore = new Map<string, number>();

  constructor(folder: BridgeFolder, checkpoint: Checkpoint, { invoker, exit, log }: BridgeOptions) {
    this.folder = folder;
    this.checkpoint = checkpoint;
    this.invoker = invoker;
    this.exit = exit ?? ((code) => process.exit(code));
    this.log = log ?? (() => {});
  }

  async ask<T>(ask: Ask<T>): Promise<Answer<T>> {
    const request = createAgentRequest({ ...ask, request_id: randomUUID(), created_at: new Date().toISOString() });
    const kept = this.checkpoint.answerAt(ask.phase, ask.agent_name, this.countUp(ask));
    const response = kept ?? (this.invoker ? await this.askHere(this.invoker, request) : this.askThere(request));
    const judged = judgeAnswer(response, ask);
    if ('failure' in judged) return this.failed(ask, response, judged.failure);
    const reworded = this.checkpoint.isReworded(response.request_id, fingerprintOf(request));
    const warning = reworded ? 'the prompt has changed since this was answered' : judged.warning;
    return answerOf(response, { value: judged.value, source: 'agent', warning });
  }

  private countUp({ phase, agent_name }: Pick<BridgeRequest, 'phase' | 'agent_name'>): number {
    const key = `${phase} ${agent_name}`;
    const before = this.madeBefore.get(key) ?? 0;
    this.madeBefore.set(key, before + 1);
    return before;
  }

  private async askHere(invoker: AgentInvoker, request: BridgeRequest): Promise<BridgeResponse> {
    this.checkpoint.ask(recordOf(request));
    const response = await invokeAtOnce(invoker, request);
    this.checkpoint.keep({ phase: request.phase, agent_name: request.agent_name, response });
    return response;
  }

  /** Returns only when the answer is there. */
  private askThere(request: BridgeRequest): BridgeResponse {
    const pending = this.checkpoint.pending(request.phase, request.agent_name) ?? this.adopt(request);
    if (!pending?.request_id) return this.askAnew(request);
    const response = responseTo(pending.request_id, this.folder, this.checkpoint);
    if (response === 'none') return this.pause({ ...request, request_id: pending.request_id });
    if (response === 'rejected') {
      this.log(`${request.agent_name}: what came does not answer ${pending.request_id}`);
      pending.fingerprint ??= fingerprintOf(request);
      this.checkpoint.mark(pending.request_id, 'rejected');
      return this.askAnew(request);
    }
    this.checkpoint.keep({ phase: request.phase, agent_name: request.agent_name, response });
    this.checkpoint.save({ ...request, checkpoint_name: 'after_agent_invocation' });
    removeAnswered(this.folder);
    return response;
  }

  /** A state that does not name its request, as other programs may write it: the request in the folder says it. */
  private adopt(request: BridgeRequest): RequestRecord | undefined {
    const waiting = this.checkpoint.found ? waitingRequest(this.folder) : undefined;
    if (waiting?.phase !== request.phase || waiting.agent_name !== request.agent_name) return undefined;
    if (this.checkpoint.isKnown(waiting.request_id)) return undefined;
    const record = recordOf(waiting);
    this.checkpoint.ask(record);
    return record;
  }

  private askAnew(request: BridgeRequest): BridgeResponse {
    const earlier = this.checkpoint.inVain(fingerprintOf(request));
    const last = earlier.at(-1)?.request_id;
    if (last !== undefined && earlier.length >= IN_VAIN_MAX) return this.notAThirdTime(request, last);
    clearForRequest(this.folder, this.checkpoint);
    this.checkpoint.ask(recordOf(request));
    return this.pause(request);
  }

  /** The state goes first: wherever the program dies, the state or the request says what is next. */
  private pause(request: BridgeRequest): never {
    this.checkpoint.save({ ...request, checkpoint_name: 'before_agent_invocation' });
    if (waitingRequest(this.folder)?.request_id !== request.request_id) this.folder.replace(REQUEST_FILE, request);
    return this.exit(CHECKPOINT_EXIT_CODE);
  }

  /** Kept as the answer, so that the asks after it stay in their order. */
  private notAThirdTime({ phase, agent_name }: BridgeRequest, request_id: string): BridgeResponse {
    const response = createBridgeResponse({
      request_id,
      status: 'error',
      created_at: new Date().toISOString(),
      error_type: 'UNKNOWN',
      error_message: `the same was asked ${IN_VAIN_MAX} times without a usable answer; it is not asked again`,
    });
    this.checkpoint.keep({ phase, agent_name, response });
    return response;
  }

  private async failed<T>(ask: Ask<T>, response: BridgeResponse, failure: AskFailure): Promise<Answer<T>> {
    const isNews = this.checkpoint.mark(response.request_id, 'failed');
    const { status } = response;
    if (ask.fallback && status !== 'cancelled') {
      const warning = `fallback: ${failure.error_type}: ${failure.error_message}`;
      if (isNews) this.log(`phase ${ask.phase} ${ask.phase_name}: ${warning}`);
      return answerOf(response, { value: await ask.fallback(failure), source: 'fallback', warning, failure });
    }
    if (isNews && !this.invoker) this.checkpoint.saveFailure(ask);
    throw status === 'cancelled' ? new BridgeCancelled(failure) : new BridgeFailed(failure);
  }
}

function recordOf(request: BridgeRequest): RequestRecord {
  const { request_id, agent_name, phase } = request;
  return { request_id, agent_name, phase, status: 'pending', fingerprint: fingerprintOf(request) };
}

function fingerprintOf(request: BridgeRequest): string {
  return createHash('sha256').update(requestFingerprint(request)).digest('hex');
}
