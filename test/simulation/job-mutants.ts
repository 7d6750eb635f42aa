import type { JobCommand, JobEvent } from '../../src/core/job/job-messages.js';
import type { LiveJob } from '../../src/core/job/job-state.js';
import type { Composed } from '../../src/core/kernel/effect.js';
import type { Mutation } from './fleet.js';

/** Bugs planted in the machine of jobs, and in what the engine does for it. */
export const jobMutants: Readonly<Record<string, Mutation>> = {
  'a job asks again after a loss without recording it': onDecision('Lost', (job, events) => {
    const [ended] = events;
    if (ended?.type !== 'HandoffEnded' || job.stage.name !== 'asking') return events;
    const { key, attempt, stateBefore, agent } = job.stage.handoff;
    const { sequence, phase, stage } = job;
    const again = { handoff: key, attempt: attempt + 1, stateBefore, agent, sequence, phase, byHand: false };
    return [{ type: 'HandoffAsked', atMs: ended.atMs, deadlineMs: stage.deadlineMs, ...again }];
  }),
  'a job that lost an ask begins the phase anew, as if it was sent back': onDecision('Lost', (job, events) =>
    events.map((event) =>
      event.type === 'HandoffEnded' && event.next.to === 'again'
        ? { ...event, cause: null, next: { to: 'phase', status: 'PENDING', phase: job.phase } }
        : event,
    ),
  ),
  'a job counts a lost handoff as a try': {
    job: (machine) => ({
      ...machine,
      evolve: (state, event) => {
        const next = machine.evolve(state, event);
        if (event.type !== 'HandoffEnded' || event.cause !== 'lost' || next.status === 'NEW') return next;
        return { ...next, tries: { ...next.tries, [next.phase]: (next.tries[next.phase] ?? 0) + 1 } };
      },
    }),
  },
  'paths that somebody has are given to others too': {
    system: (machine) => ({
      ...machine,
      decide: (state, command) =>
        machine.decide(command.type === 'Lock' ? { ...state, locks: new Map() } : state, command),
    }),
  },
  'a run at rest keeps its paths': {
    system: (machine) => ({
      ...machine,
      decide: (state, command) => (command.type === 'Unlock' ? { events: [] } : machine.decide(state, command)),
    }),
  },
  'a login that works again is not found': {
    system: (machine) => ({
      ...machine,
      decide: (state, command) =>
        command.type === 'FindLogin' || command.type === 'TryLogin'
          ? { refusal: { code: 'INVALID_TRANSITION', reason: 'planted' } }
          : machine.decide(state, command),
    }),
  },
  'a job is done before its agent has heard what it was told': onState((job) => ({ ...job, unheard: 0 })),
  'a job forgets its limits': onState((job) => ({ ...job, order: { ...job.order, limits: {} } })),
  'a job forgets how often a phase was sent back': onState((job) => ({ ...job, tries: {} })),
  'a job drops an answer that was handed in': onDecision('PostStep', (_, events) =>
    events.length > 1 ? events.filter(({ type }) => type !== 'HandoffAnswered') : events,
  ),
  'a job that has ended can be canceled': {
    job: (machine) => ({
      ...machine,
      decide: (state, command) =>
        command.type === 'Cancel' && state.status !== 'NEW'
          ? { events: [{ type: 'JobCanceled', atMs: command.atMs, question: null }] }
          : machine.decide(state, command),
    }),
  },
  'a job that goes on leaves its question open': onDecision('Restep', (_, events) =>
    events.map((event) => (event.type === 'PhaseSet' ? { ...event, question: null } : event)),
  ),
  'a yes is still good after an ask that was lost': {
    job: (machine) => ({
      ...machine,
      evolve: (state, event) => {
        const next = machine.evolve(state, event);
        if (event.type !== 'HandoffEnded' || event.cause !== 'lost') return next;
        return next.status === 'NEW' || state.status === 'NEW' ? next : { ...next, verdict: state.verdict };
      },
    }),
  },
  'an answer to a question that is over is taken for the present one': {
    job: (machine) => ({
      ...machine,
      decide: (state, command) => {
        const waits = command.type === 'Decide' && state.status !== 'NEW' && state.stage.name === 'approving';
        return machine.decide(state, waits ? { ...command, question: state.stage.question } : command);
      },
    }),
  },
  'a job that is called off leaves open what its agent asked': onDecision('Cancel', (job, events) =>
    job.stage.name === 'approving'
      ? events.map((event) => (event.type === 'JobCanceled' ? { ...event, question: null } : event))
      : events,
  ),
  'an agent that was answered goes on waiting': onDecision('Decide', () => []),
  'a job reads an answer twice': onDecision('Performed', (_, events) =>
    events.flatMap((event): JobEvent[] => (event.type === 'HandoffCollected' ? [event, event] : [event])),
  ),
  'an agent of a job is not told the guidance': {
    ports: (ports) => ({
      ...ports,
      composers: {
        compose: (run: string, { composer, from }: Composed) =>
          ports.composers.compose(run, { composer, from: { ...from, guidance: [] } }),
      },
    }),
  },
  'work begins while what was called off still ends': {
    engine: (engine) => {
      (engine as unknown as { settler: { isEnding(run: string): boolean } }).settler.isEnding = () => false;
    },
  },
};

type Told = Extract<JobCommand, { type: string }>['type'];

function onDecision(type: Told, change: (job: LiveJob, events: readonly JobEvent[]) => readonly JobEvent[]): Mutation {
  return {
    job: (machine) => ({
      ...machine,
      decide: (state, command) => {
        const decision = machine.decide(state, command);
        if (command.type !== type || state.status === 'NEW' || 'refusal' in decision) return decision;
        return { events: change(state, decision.events) };
      },
    }),
  };
}

/** Decides on another state than the one that is there. */
function onState(change: (job: LiveJob) => LiveJob): Mutation {
  return {
    job: (machine) => ({
      ...machine,
      decide: (state, command) => machine.decide(state.status === 'NEW' ? state : change(state), command),
    }),
  };
}
