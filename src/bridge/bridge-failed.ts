import type { BridgeResponse } from '../contracts/generated/types/bridge-response.js';
import { BatonError } from '../contracts/shared/errors.js';

export type ErrorType = NonNullable<BridgeResponse['error_type']>;

/** Why there is no usable answer. */
export type AskFailure = {
  error_type: ErrorType;
  error_message: string;
  request_id: string;
  agent_name: string;
  phase: number;
  phase_name: string;
};

/** The document's table of recovery actions, for whoever reads the message. */
const RECOVERY: Readonly<Record<ErrorType, string>> = {
  AGENT_NOT_FOUND: 'Check the spelling of the agent in details.agent_name, then start the orchestrator again.',
  INVOCATION_FAILED: 'Start the orchestrator again with a larger timeout_seconds.',
  TIMEOUT: 'Start the orchestrator again with a larger timeout_seconds, or give the ask a fallback.',
  PARSE_ERROR: 'Give the ask a fallback, or a prompt that names the form of the answer.',
  VALIDATION_ERROR: 'Give the ask a fallback, or a prompt that names the form of the answer.',
  UNKNOWN: 'Give the ask a fallback, or look at what the handler logged.',
};

/** An ask without a usable answer and without a fallback. */
export class BridgeFailed extends BatonError {
  readonly error_type: ErrorType;

  constructor(failure: AskFailure) {
    const { phase, phase_name, agent_name, error_type, error_message } = failure;
    super('BRIDGE_FAILED', `phase ${phase} ${phase_name}: ${agent_name}: ${error_type}: ${error_message}`, failure);
    this.error_type = error_type;
  }

  override get hint(): string {
    return RECOVERY[this.error_type];
  }

  /** `name` stays as it is: errors of Baton are known by it. */
  override toString(): string {
    return `BridgeFailed: ${this.message}`;
  }
}
