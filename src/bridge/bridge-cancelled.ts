import { BatonError } from '../contracts/shared/errors.js';
import type { AskFailure } from './bridge-failed.js';

/** Somebody does not want this done: no fallback takes over. */
export class BridgeCancelled extends BatonError {
  constructor(failure: AskFailure) {
    const { phase, phase_name, agent_name, error_message } = failure;
    super('BRIDGE_CANCELLED', `phase ${phase} ${phase_name}: ${agent_name}: ${error_message}`, failure);
  }

  /** `name` stays as it is: errors of Baton are known by it. */
  override toString(): string {
    return `BridgeCancelled: ${this.message}`;
  }
}
