import type { ConfidenceGate } from '../contracts/bridge/confidence-gate.js';
import type { BridgeResponse } from '../contracts/generated/types/bridge-response.js';
import type { CheckpointState } from '../contracts/generated/types/checkpoint-state.js';
import type { AskFailure, ErrorType } from './bridge-failed.js';

/** Asks an agent here and now, without files: for tests, and for programs that have agents of their own. */
export interface AgentInvoker {
  invoke(
    agent_name: string,
    prompt: string,
    timeout_seconds: number,
    options: Record<string, unknown>,
  ): string | Promise<string>;
}

export type BridgeOptions = {
  /** Where the three files lie. The working directory when it is left out; made absolute at once. */
  dir?: string;
  invoker?: AgentInvoker;
  /** Go on from the checkpoint in `dir`; as the command line says it when left out. */
  resume?: boolean;
  output_path?: string;
  project_path?: string;
  template_name?: string;
  /** How the program is ended at a checkpoint. */
  exit?: (code: number) => never;
  /** Gets a line for each file removed and each fallback taken. */
  log?: (line: string) => void;
};

export type Ask<T> = {
  phase: number;
  phase_name: string;
  agent_name: string;
  prompt: string;
  context?: Record<string, unknown>;
  timeout_seconds?: number;
  /** Makes a value of the answer's text; what it throws makes the answer unusable. */
  read?: (response: string) => T;
  /** Takes over when there is no usable answer. */
  fallback?: (why: AskFailure) => T | Promise<T>;
  gate?: ConfidenceGate;
};

export type Answer<T> = {
  request_id: string;
  status: BridgeResponse['status'];
  /** What the agent said. */
  response: string | null;
  error_type: ErrorType | null;
  error_message: string | null;
  metadata: NonNullable<BridgeResponse['metadata']>;
  /** What `read` or the fallback made; the text itself without `read`. */
  value: T;
  source: 'agent' | 'fallback';
  confidence: number | null;
  warning: string | null;
  isSuccess(): boolean;
  /** 0.0 when the answer does not say. */
  getConfidence(): number;
};

export type PhasePlace = { phase: number; phase_name: string };

export interface Bridge {
  readonly dir: string;
  /** There was a checkpoint to go on from. */
  readonly resumed: boolean;
  readonly state: CheckpointState | null;
  /** `phase_data`: whatever the program keeps in it is there again after a resume. JSON only. */
  readonly data: Record<string, unknown>;
  checkpoint(place: PhasePlace & { checkpoint_name: string }): void;
  completed(phase: PhasePlace & { result_summary: string }): void;
  /**
   * Ends the program with exit code 42 when nobody has answered yet. Asks are recognised in their order per phase and
   * agent, so a program that asks the same in the same order each time is written as if it never ended.
   */
  ask<T = string>(ask: Ask<T>): Promise<Answer<T>>;
  finish(): void;
}
