import type { EnvelopeError } from '../../contracts/generated/types/envelope-error.js';
import type { BodyRef } from '../kernel/effect.js';

export type StageError = Pick<EnvelopeError, 'error_type' | 'message' | 'recoverable'> & { details?: object };

/** What one stage has come to. `Output` is where its output is found, or the output itself. */
export type StageEnd<Output = BodyRef> = { stage: string; startedMs: number; endedMs: number; llmCalls: number } & (
  | {
      type: 'output';
      output: Output;
      /** Of steps that failed; the beginning of them when they are many. */
      errors: readonly StageError[];
      /** The envelope ends with it. */
      ends: 'tool_failed_recoverably' | 'tool_failed_fatally' | null;
    }
  | { type: 'error'; error: StageError }
  /** It would do something that a person has to agree to: exactly these steps. */
  | { type: 'confirm'; message: string; steps: string }
);
