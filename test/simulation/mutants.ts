import type { ErrandCommand } from '../../src/core/errand/errand-messages.js';
import { type Effect, NO_USAGE } from '../../src/core/kernel/effect.js';
import type { Engine } from '../../src/engine/engine.js';
import type { Lanes } from '../../src/engine/lanes.js';
import type { Append, Appended, EventStore } from '../../src/engine/ports.js';
import type { MemoryJournal } from '../../src/store/memory/journal.js';
import type { Mutation } from './fleet.js';
import { jobMutants } from './job-mutants.js';
import { override } from './override.js';
import { sessionMutants } from './session-mutants.js';

type Unit = (unit: Append, journal: MemoryJournal) => Append;

/** Planted bugs. Each must be noticed: a simulation that cannot fail proves nothing. */
export const mutants: Readonly<Record<string, Mutation>> = {
  'the store does not look at the epoch': withoutObjection(({ fence: _, ...unit }) => unit),
  'the store does not look at the expected version': withoutObjection((unit, journal) => ({
    ...unit,
    expected: journal.runs.get(unit.run)?.version ?? 0,
  })),
  'the store forgets which keys were used': {
    store: (store, journal) => {
      withoutObjection(({ dedupe: _, ...unit }) => unit).store?.(store, journal);
      return override<EventStore>(store, { recorded: async () => undefined });
    },
  },
  'the store acknowledges one append in fifteen without writing it': {
    store: (store, journal) =>
      override<EventStore>(store, {
        append: (group) => {
          const appends = (appendsOf.get(journal) ?? 0) + 1;
          appendsOf.set(journal, appends);
          return appends % 15 === 0 ? Promise.resolve(group.map(pretend)) : store.append(group);
        },
      }),
  },
  'the store loses answers': withUnits((unit) => ({ ...unit, bodies: unit.expected === 0 ? unit.bodies : [] })),
  'the inbox never closes a question': withUnits((unit) => ({ ...unit, inbox: { ...unit.inbox, close: [] } })),
  'a run that is handed back keeps its owner': {
    store: (store, journal) => {
      const { append } = withUnits(({ handBack: _, ...unit }) => unit).store?.(store, journal) ?? store;
      return override<EventStore>(store, { append, release: async () => undefined });
    },
  },
  'a claim does not raise the epoch': {
    store: (store, journal) =>
      override<EventStore>(store, {
        claim: async (worker, which) => {
          const claims = await store.claim(worker, which);
          for (const { run } of claims) {
            const row = journal.runs.get(run);
            if (row) row.epoch -= 1;
          }
          return claims.map((claim) => ({ ...claim, epoch: claim.epoch - 1 }));
        },
      }),
  },
  'a claim takes runs of the living': {
    store: (store, journal) =>
      override<EventStore>(store, {
        claim: async (worker, which) => {
          const taken = [...journal.runs.values()].filter((run) => run.owes && run.owner !== null);
          const theirs = taken.filter(({ owner }) => owner !== worker).map((run) => journal.claim(worker, run));
          return [...(await store.claim(worker, which)), ...theirs];
        },
      }),
  },
  'a snapshot is said to be older than its state': {
    store: (store) =>
      override<EventStore>(store, {
        saveSnapshot: (snapshot, epoch) => store.saveSnapshot({ ...snapshot, version: snapshot.version - 1 }, epoch),
      }),
  },
  'nobody hears of commits': { store: (store) => override<EventStore>(store, { onCommit: () => () => undefined }) },
  'what a dead owner left behind goes on': {
    ports: (ports) => ({ ...ports, agents: { ...ports.agents, endLeftover: async () => NO_USAGE } }),
  },
  'ending an agent does not end it': {
    ports: (ports) => ({
      ...ports,
      agents: {
        ...ports.agents,
        ask: (run, ask, request) => ports.agents.ask(run, ask, request, new AbortController().signal),
      },
    }),
  },
  'a wake comes early': onEffect((effect) => (effect.type === 'Wake' ? { ...effect, atMs: 0 } : effect)),
  'a wake is never heard': {
    machine: (machine) => ({
      ...machine,
      decide: (state, command) => (command.type === 'Woke' ? { events: [] } : machine.decide(state, command)),
    }),
  },
  'a lost ask counts as answered': onCommand((command) =>
    command.type === 'Lost' && command.key.startsWith('ask-')
      ? { ...command, type: 'Answered', answer: { sha256: '', bytes: 0 } }
      : command,
  ),
  'a result is taken for any ask': {
    machine: (machine) => ({
      ...machine,
      decide: (state, command) => {
        const late = command.type === 'Answered' || command.type === 'Failed';
        return machine.decide(
          state,
          late && state.status === 'asking' ? { ...command, key: `ask-${state.asked}` } : command,
        );
      },
    }),
  },
  'a report has no key': {
    engine: (engine) => {
      const around = surroundings(engine);
      const { send } = around;
      around.send = (run, command, origin, how) => {
        const { key: _, ...rest } = origin;
        return send(run, command, command.type === 'Report' ? rest : origin, how);
      };
    },
  },
  'a place in a lane is never given back': {
    engine: (engine) => {
      surroundings(engine).lanes.releaseOthers = () => undefined;
    },
  },
  'a lane has no limit': {
    engine: (engine) => {
      surroundings(engine).lanes.admit = () => Promise.resolve(true);
    },
  },
  'a worker never says that it is alive': {
    store: (store) => override<EventStore>(store, { beat: async () => undefined }),
  },
  ...jobMutants,
  ...sessionMutants,
};

const appendsOf = new WeakMap<MemoryJournal, number>();

function pretend({ expected, events }: Append): Appended {
  return { type: 'appended', version: expected + events.length, position: 0 };
}

type Objecting = { objection(unit: Append): Appended | undefined };

/** The journal writes what it was given, but judges something else. */
function withoutObjection(change: Unit): Mutation {
  return {
    store: (store, journal) => {
      const judge = journal as unknown as Objecting;
      const { objection } = Object.getPrototypeOf(judge) as Objecting;
      judge.objection = (unit) => objection.call(journal, change(unit, journal));
      return store;
    },
  };
}

function withUnits(change: Unit): Mutation {
  return {
    store: (store, journal) =>
      override<EventStore>(store, { append: (group) => store.append(group.map((unit) => change(unit, journal))) }),
  };
}

function onCommand(change: (command: ErrandCommand) => ErrandCommand): Mutation {
  return { machine: (machine) => ({ ...machine, decide: (state, command) => machine.decide(state, change(command)) }) };
}

function onEffect(change: (effect: Effect) => Effect): Mutation {
  return {
    machine: (machine) => ({
      ...machine,
      *outstanding(state) {
        for (const effect of machine.outstanding(state)) yield change(effect);
      },
    }),
  };
}

type Around = { lanes: Lanes; send: Engine['send'] };

/** Some bugs sit inside the engine; a planted one may reach there. */
function surroundings(engine: Engine): Around {
  return (engine as unknown as { settler: { around: Around } }).settler.around;
}
