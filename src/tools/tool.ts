import type { ExecutionEvidence } from '../contracts/generated/types/stage-execution.js';
import type { Held } from '../engine/ports.js';

/** Only looks, changes things, or destroys them. */
export type Risk = 'read_only' | 'write' | 'destructive';

export type ToolFailure = {
  error_type: 'ToolError' | 'ToolTimeout' | 'ToolNotFound' | 'PathRefused' | 'BadParams';
  message: string;
  /** Whether the other steps are worth running all the same. */
  recoverable: boolean;
  details?: Readonly<Record<string, unknown>>;
};

export type Params = Readonly<Record<string, unknown>>;
export type Evidence = Required<Pick<ExecutionEvidence, 'location' | 'content' | 'relevance'>>;

/** On whose behalf a step is run. `key` names the effect, so that what it starts can be found and ended after a crash. */
export type Around = {
  /** The folder that is asked about; null when there is none. */
  folder: string | null;
  signal: AbortSignal;
  held: Held;
  key: string;
};

export type Done = { result: unknown; evidence: Evidence[] };
export type ToolEnd = Done | { failure: ToolFailure };

export type Tool = {
  name: string;
  risk: Risk;
  description: string;
  /** Rejects only when the signal was aborted, or something that it started could not be ended. */
  run(params: Params, around: Around): Promise<ToolEnd>;
};

/** Thrown inside of a tool where its run cannot go on; what comes out of `run` is its failure. */
export class ToolProblem extends Error {
  override readonly name = 'ToolProblem';
  readonly failure: ToolFailure;

  constructor(failure: ToolFailure) {
    super(failure.message);
    this.failure = failure;
  }
}

const RECOVERABLE: Readonly<Record<ToolFailure['error_type'], boolean>> = {
  ToolError: true,
  ToolTimeout: true,
  ToolNotFound: false,
  PathRefused: false,
  // Whoever planned may have got one of several steps wrong: the others are still worth running.
  BadParams: true,
};

export function failure(
  error_type: ToolFailure['error_type'],
  message: string,
  more: Partial<Pick<ToolFailure, 'recoverable' | 'details'>> = {},
): ToolFailure {
  return { error_type, message, recoverable: RECOVERABLE[error_type], ...more };
}

export function stop(...of: Parameters<typeof failure>): never {
  throw new ToolProblem(failure(...of));
}

/** What a tool gives, or why it did not. */
export async function ended(run: () => Promise<Done>): Promise<ToolEnd> {
  try {
    return await run();
  } catch (problem) {
    if (problem instanceof ToolProblem) return { failure: problem.failure };
    throw problem;
  }
}
