import type { Ask } from '../../core/kernel/effect.js';
import { unreachable } from '../../core/kernel/unreachable.js';
import type { TurnReadingFacts } from '../../core/session/session-effects.js';
import type { TaskFailure } from '../../core/session/session-messages.js';
import type { AskOutcome, Clock, Held } from '../../engine/ports.js';
import type { Scrub } from '../../engine/scrub.js';
import { LiveText } from '../../engine/session/live-text.js';
import type { TurnRequest } from '../../engine/session/read-thread.js';
import { answered, type Failed, failed } from '../adapter.js';
import type { Access } from '../metering/metering.js';
import { type LogListener, liveLog } from '../process/live-log.js';
import { askTurn } from '../session/ask-turn.js';
import type { JobWork } from './model-task.js';

/** Gives a model hands in the folder of a job. */
export type ModelWork = {
  clock: Clock;
  scrub: Scrub;
  /** Undefined where there is no folder to work in. */
  begin(order: WorkOrder): Promise<Talk | undefined>;
};

export type WorkOrder = {
  held: Held;
  ask: Pick<Ask, 'agent' | 'key' | 'attempt'>;
  model: string;
  instructions: string;
  mayWrite: boolean;
  /** Asks the model for one turn. */
  turn(turn: TurnRequest, facts: TurnReadingFacts, signal: AbortSignal): Promise<AskOutcome>;
  /** A line of what happens. */
  tell(line: string): void;
  signal: AbortSignal;
};

/** One thread. It settles only when everything it has started has ended. */
export type Talk = { say(text: string): Promise<TalkEnd> };
type TalkEnd = { type: 'complete'; message: string } | { type: 'failed'; code: TaskFailure; message: string };

type Asked = {
  held: Held;
  ask: Ask;
  model: string;
  job: JobWork;
  access: Access;
  /** What is sent back to it; null when the answer is what was agreed. */
  repairOf(answer: string): string | null;
  onLog: LogListener | undefined;
};

/** A model works on a job, all within one ask. Undefined where it cannot. */
export async function workOnJob(work: ModelWork, asked: Asked): Promise<AskOutcome | undefined> {
  const { held, ask, model, job, access, repairOf } = asked;
  const { clock, scrub } = work;
  const { ways, signal } = access;
  const module = await import('openai');
  const live = new LiveText();
  const log = liveLog({ run: held.run, handoff: ask.key, attempt: ask.attempt }, asked.onLog);
  let broke: Failed | undefined;
  const talk = await work.begin({
    ...{ held, ask, model, signal, instructions: job.instructions, mayWrite: job.mayWrite },
    async turn(turn, facts, signal) {
      // Nobody goes on with this thread later, so no name of it is kept.
      const way = { ways, signal, noteThread: () => {} };
      const outcome = await askTurn({ run: held.run, turn, facts, live, scrub, clock, module, access: way });
      broke = outcome.type === 'failed' ? outcome : undefined;
      return outcome;
    },
    tell: (line) => log.write(Buffer.from(`${line}\n`)),
  });
  if (!talk) return undefined;
  try {
    const first = await talk.say(job.input);
    const repair = first.type === 'complete' ? repairOf(first.message) : null;
    const end = repair === null ? first : await talk.say(repair);
    return outcomeOf(end, broke);
  } finally {
    log.end();
  }
}

/** `broke`: how the last turn failed, when it did. */
function outcomeOf(end: TalkEnd, broke: Failed | undefined): AskOutcome {
  if (end.type === 'complete') return answered(end.message);
  const { code, message } = end;
  switch (code) {
    case 'INTERRUPTED':
      return failed('timeout', 'it was ended before it answered');
    case 'LIMIT_REACHED':
      return failed('spent', message);
    case 'CONTEXT_FULL':
      return failed('refused', message);
    case 'MODEL_FAILED':
      return failed(broke?.failure ?? 'refused', message, broke?.retryAfterMs);
    default:
      return unreachable(code);
  }
}
