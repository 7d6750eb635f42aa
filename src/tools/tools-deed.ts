import type { PlanStep } from '../contracts/generated/types/stage-plan.js';
import { TOOLS_DEED, type ToolsFacts } from '../core/envelope/envelope-effects.js';
import type { ToolsReading } from '../core/envelope/envelope-messages.js';
import type { Output } from '../core/envelope/route-stage.js';
import type { StageEnd, StageError } from '../core/envelope/stage-end.js';
import type { DocumentMover } from '../engine/envelope/document-mover.js';
import type { Clock, Deeds, SealedBody } from '../engine/ports.js';
import { runSteps, type StepFailure, type StepsEnd } from './run-steps.js';
import type { Toolbox } from './toolbox.js';

type Options = { toolbox: { open(): Promise<Toolbox> }; mover: DocumentMover; clock: Clock };

const ERRORS_MAX = 20;
const MESSAGE_LENGTH_MAX = 1_000;
const QUESTION_LENGTH_MAX = 4_000;

/** The stage `execution`: the steps of the plan, run with tools. */
export function createToolsDeed({ toolbox, mover, clock }: Options): Deeds {
  return {
    async perform(held, { key, deed, input }, signal) {
      if (deed !== TOOLS_DEED) throw new Error(`there is no deed ${deed}`);
      const facts = input as ToolsFacts;
      const { outputs } = await mover.envelope(facts.document);
      const ran = await runSteps(stepsIn(outputs), {
        ...{ toolbox: await toolbox.open(), allowed: facts.tools, folder: facts.folder },
        ...{ held, key, signal, clock, confirmed: facts.wasLost ? null : facts.progress.confirmed },
      });
      const { end, output, bodies } = ended(mover, facts, ran, clock.nowMs());
      if (!facts.alone) return { result: { end, moved: null } satisfies ToolsReading, bodies };
      const made = await mover.move(facts, [end], new Map(output ? [[facts.stage, output]] : []));
      return { result: { end, moved: made.moved } satisfies ToolsReading, bodies: [...bodies, ...made.bodies] };
    },
  };
}

type Ended = { end: StageEnd; output: Output | null; bodies: readonly SealedBody[] };

function ended(mover: DocumentMover, { stage, startedMs, wasLost }: ToolsFacts, ran: StepsEnd, endedMs: number): Ended {
  const about = { stage, startedMs, endedMs, llmCalls: 0 };
  if ('needsConfirmation' in ran) {
    const { message, hash } = ran.needsConfirmation;
    const again = wasLost ? 'It was begun and cut off, so what was done already is not known. ' : '';
    const text = `${again}${message}`.slice(0, QUESTION_LENGTH_MAX);
    return { end: { ...about, type: 'confirm', message: text, steps: hash }, output: null, bodies: [] };
  }
  const { ref, body } = mover.sealJson(ran.output);
  const errors = ran.failures.slice(0, ERRORS_MAX).map(errorOf);
  const output = JSON.parse(new TextDecoder().decode(body.bytes)) as Output;
  return { end: { ...about, type: 'output', output: ref, errors, ends: ran.end }, output, bodies: [body] };
}

function errorOf({ error_type, message, recoverable, step_index, tool, details }: StepFailure): StageError {
  const short = message.slice(0, MESSAGE_LENGTH_MAX);
  return { error_type, message: `${tool}: ${short}`, recoverable, details: { ...small(details), step_index, tool } };
}

/** Details go into an event, which has little room. */
function small(details: object | undefined): object {
  return details !== undefined && JSON.stringify(details).length <= MESSAGE_LENGTH_MAX ? details : {};
}

function stepsIn({ plan }: Readonly<Record<string, { steps?: unknown }>>): readonly PlanStep[] {
  return Array.isArray(plan?.steps) ? (plan.steps as PlanStep[]) : [];
}
