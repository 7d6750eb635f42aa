/** Questions to a person: what is asked, and where the answer leads. */

import type { Envelope } from '../../contracts/generated/types/envelope.js';
import type { Pipeline } from '../../contracts/generated/types/pipeline.js';
import type { Output } from './route-stage.js';
import { isStage, type Led } from './schedule.js';
import type { StageEnd } from './stage-end.js';
import { type Interrupt, type Progress, stageIn } from './standing.js';

type End = StageEnd<Output>;
type Asked = NonNullable<Progress['asked']>;
/** Makes the name of a question from what it is about. */
export type NameOf = (about: string) => string;

const RESUMES_AT = { clarification: 'intent', confirmation: 'execution' } as const;

export function asksFor({ to }: Led): Interrupt | null {
  return to === 'clarification' || to === 'confirmation' ? to : null;
}

/** A clarification begins anew with the intent, a confirmation lets the execution begin, where there are such stages. */
export function askedBy(kind: Interrupt, pipeline: Pipeline, end: End): Asked {
  const from = end.stage;
  // Exactly these steps were agreed to, so nobody else is to go on.
  if (end.type === 'confirm') return { from, to: from, steps: end.steps };
  const { default_next } = stageIn(pipeline, from);
  const next = kind === 'clarification' ? from : isStage(default_next) ? default_next : 'end';
  return { from, to: resumingStage(kind, pipeline) ?? next, steps: null };
}

/** Of a question that came with an envelope: who asked it is not known, only what is due next. */
export function askedElsewhere(kind: Interrupt, pipeline: Pipeline, { current_stage }: Envelope): Asked {
  const { stages } = pipeline;
  const here = current_stage === 'start' ? stages[0].name : current_stage;
  const from = stages.find(({ name }) => name === here) ?? stages.at(-1) ?? stages[0];
  return { from: from.name, to: resumingStage(kind, pipeline) ?? here, steps: null };
}

export function withQuestion(envelope: Envelope, end: End, kind: Interrupt, nameOf: NameOf): Envelope {
  const { stage } = end;
  const said = end.type === 'output' ? end.output : {};
  if (kind === 'clarification') {
    const question = textIn(said, 'clarification_question') ?? `Stage ${stage} needs to know more. What is meant?`;
    return {
      ...envelope,
      ...{ clarification_pending: true, clarification_question: question, clarification_response: null },
      terminal_reason: 'clarification_required',
    };
  }
  const asked = end.type === 'confirm' ? end.message : textIn(said, 'confirmation_message');
  const message = asked ?? `May it go on after stage ${stage}?`;
  return {
    ...envelope,
    ...{ confirmation_pending: true, confirmation_message: message, confirmation_response: null },
    confirmation_id: nameOf(`${envelope.envelope_id}/${envelope.agent_hop_count ?? 0}/${message}`),
    terminal_reason: 'confirmation_required',
  };
}

function resumingStage(kind: Interrupt, { stages }: Pipeline): string | undefined {
  return stages.find(({ name }) => name === RESUMES_AT[kind])?.name;
}

function textIn(said: Output, field: string): string | undefined {
  const value = said[field];
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}
