import type { sessionDecider } from '../../src/core/session/session-decider.js';
import type { SessionCommand, SessionEvent } from '../../src/core/session/session-messages.js';
import type { LiveSession } from '../../src/core/session/session-state.js';
import type { Mutation } from './fleet.js';
import { isOfHands } from './sim-session.js';

type Events = readonly SessionEvent[];
type Kept = ReturnType<NonNullable<typeof sessionDecider.snapshot>['decode']>;

/** Bugs planted in the machine of sessions, and in what the engine does for it. */
export const sessionMutants: Readonly<Record<string, Mutation>> = {
  'a session loses the end of a task': onDecision('Answered', (_, events) =>
    events.filter(({ type }) => type !== 'TaskEnded'),
  ),
  'a session that is interrupted does not say that its task has ended': onDecision('Input', (_, events) =>
    events.filter(({ type }) => type !== 'TaskFailed'),
  ),
  'a session that gives a model up does not say that its task has ended': onDecision('Failed', (_, events) =>
    events.filter(({ type }) => type !== 'TaskFailed'),
  ),
  'a session says the end of a task twice': onDecision('Interrupt', (_, events) =>
    events.flatMap((event): SessionEvent[] => (event.type === 'TaskFailed' ? [event, event] : [event])),
  ),
  'a yes of a person is good for more than once': {
    cast: 'sessions',
    session: (machine) => ({
      ...machine,
      decide: (state, command) => {
        const decision = machine.decide(state, command);
        if (command.type !== 'Approve' || state.status === 'new' || !('refusal' in decision)) return decision;
        const call = state.task?.calls.get(command.callId);
        if (!state.task || call?.stage.name !== 'running' || !command.decision.startsWith('approved')) return decision;
        const { callId, decision: said, by } = command;
        return { events: [{ id: state.task.id, type: 'ApprovalResolved', call: callId, decision: said, by }] };
      },
    }),
  },
  'an answer begins a call': {
    cast: 'sessions',
    session: (machine) => ({
      ...machine,
      decide: (state, command) => {
        const decision = machine.decide(state, command);
        if (command.type !== 'Approve' || state.status === 'new' || 'refusal' in decision) return decision;
        const call = state.task?.calls.get(command.callId);
        if (!call?.deed || decision.events.length !== 1 || !command.decision.startsWith('approved')) return decision;
        const { kind, shown, where } = call.deed;
        const begun = { type: 'CallBegun', at: command.atMs, call: call.id, kind, shown, where, auto: false } as const;
        return { events: [...decision.events, { id: state.task?.id ?? '', ...begun }] };
      },
    }),
  },
  'a call that was interrupted goes on': {
    cast: 'sessions',
    ports: (ports) => ({
      ...ports,
      deeds: {
        perform: (held, effect, signal) =>
          ports.deeds.perform(held, effect, isOfHands(effect) ? new AbortController().signal : signal),
      },
    }),
  },
  'a command that was lost is run again': onDecision('Lost', (session, events) =>
    session.task?.stage.name === 'working' ? [] : events,
  ),
  'input is swallowed after an error': {
    cast: 'sessions',
    session: (machine) => ({
      ...machine,
      evolve: (state, event) => {
        const next = machine.evolve(state, event);
        if (event.type === 'TaskFailed' && next.status !== 'new') next.pending = [];
        return next;
      },
    }),
  },
  'a call behind a patch is forgotten': {
    cast: 'sessions',
    session: (machine) => ({
      ...machine,
      evolve: (state, event) => {
        const next = machine.evolve(state, event);
        if (event.type !== 'CallsJudged' || next.status === 'new') return next;
        for (const call of next.task?.calls.values() ?? [])
          if (call.stage.name === 'ready') call.stage = { name: 'new' };
        return next;
      },
    }),
  },
  'a question is left open when its task is interrupted': onDecision('Interrupt', (_, events) =>
    events.filter(({ type }) => type !== 'ApprovalResolved'),
  ),
  'a lost command is asked for under its old name': onDecision('Lost', (_, events) =>
    events.flatMap((event): SessionEvent[] => {
      if (event.type === 'CallRenamed') return [];
      const lost = events.find(({ type }) => type === 'CallLost');
      return event.type === 'ApprovalAsked' && lost?.type === 'CallLost' ? [{ ...event, call: lost.call }] : [event];
    }),
  ),
  'a call is done as something else than was asked for': {
    cast: 'sessions',
    session: (machine) => ({
      ...machine,
      *outstanding(state) {
        for (const effect of machine.outstanding(state)) {
          const isCall = effect.type === 'Perform' && effect.key.startsWith('call-');
          yield isCall ? { ...effect, input: { ...effect.input, hash: 'another', where: 'outside' } } : effect;
        }
      },
    }),
  },
  'a snapshot of a session forgets which calls wait': {
    cast: 'sessions',
    session: (machine) => ({
      ...machine,
      snapshot: {
        encode: (state) => machine.snapshot?.encode(state),
        decode: (json) => {
          const state = (machine.snapshot?.decode(json) ?? json) as Kept;
          if (state.status !== 'new') state.task?.calls.clear();
          return state;
        },
      },
    }),
  },
};

function onDecision(type: SessionCommand['type'], change: (session: LiveSession, events: Events) => Events): Mutation {
  return {
    cast: 'sessions',
    session: (machine) => ({
      ...machine,
      decide: (state, command) => {
        const decision = machine.decide(state, command);
        if (command.type !== type || state.status === 'new' || 'refusal' in decision) return decision;
        return { events: change(state, decision.events) };
      },
    }),
  };
}
