/** What must hold of every session, whatever happened. It counts for itself instead of asking the machine; for tests. */
import { sessionDecider } from '../../src/core/session/session-decider.js';
import type { SessionEvent } from '../../src/core/session/session-messages.js';
import type { Call, LiveSession, SessionRun } from '../../src/core/session/session-state.js';

const AT_ONCE_MAX = 8;
const NOTE = 'that something was left out';
/** `calls`: as they were before it. */
type Step = { event: SessionEvent; calls: ReadonlyMap<string, Call>; after: LiveSession };
type Promises = (step: Step) => string | undefined;
type Of<Type extends SessionEvent['type']> = Extract<SessionEvent, { type: Type }>;

/** Each broken promise is a sentence, and is said once. */
export function brokenPromises(events: readonly SessionEvent[]): string[] {
  const watching = Object.entries(PROMISES).map(([name, begin]) => ({ name, look: begin() }));
  const broken = new Map<string, string>();
  let run: SessionRun = sessionDecider.initialState();
  events.forEach((event, index) => {
    const known = run.status === 'new' ? [] : [...(run.task?.calls ?? [])];
    const calls = new Map(known.map(([id, call]) => [id, { ...call }]));
    run = sessionDecider.evolve(run, event);
    if (run.status === 'new') {
      broken.set('new', `event ${index + 1}, ${event.type}: there is no session yet`);
      return;
    }
    const step: Step = { event, calls, after: run };
    for (const { name, look } of watching) {
      const problem = look(step);
      if (problem !== undefined && !broken.has(name))
        broken.set(name, `event ${index + 1}, ${event.type}: ${name}: ${problem}`);
    }
  });
  if (run.status !== 'new') for (const problem of restProblems(run)) broken.set(problem, problem);
  return [...broken.values()];
}

/** Of a session between two commands: what its row says, and what a snapshot keeps. */
function restProblems(session: LiveSession): string[] {
  const owed = [...sessionDecider.outstanding(session)];
  const { owes, wakeAtMs } = sessionDecider.summary(session);
  const { encode, decode } = sessionDecider.snapshot ?? {};
  const read = decode?.(JSON.parse(JSON.stringify(encode?.(session)))) ?? session;
  const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);
  return [
    ...((owes || wakeAtMs !== null) === owed.length > 0
      ? []
      : [`its row says owes ${owes} with ${owed.length} effects`]),
    ...(new Set(owed.map(({ key }) => key)).size === owed.length ? [] : ['two effects have one key']),
    ...(same(encode?.(read), encode?.(session)) ? [] : ['its snapshot is of another state']),
    ...(same([...sessionDecider.outstanding(read)], owed) ? [] : ['its snapshot owes something else']),
  ];
}

const BESIDE_TASKS: readonly string[] = ['SessionConfigured', 'HistoryAdded', 'SessionClosed'];

const PROMISES: Readonly<Record<string, () => Promises>> = {
  'a task has one end, and nothing of it comes after that': () => {
    let task: string | undefined;
    return ({ event: { type, id } }) => {
      if (type === 'PatchSettled') return undefined;
      if (BESIDE_TASKS.includes(type)) return type !== 'HistoryAdded' && task ? `${task} has no end` : undefined;
      const running = task;
      if (type === 'TaskStarted') task = id;
      if (type === 'TaskEnded' || type === 'TaskFailed') task = undefined;
      if (type === 'TaskStarted') return running === undefined ? undefined : `${running} has no end`;
      return running === id ? undefined : `of ${id}, while ${running ?? 'nothing'} runs`;
    };
  },

  'a turn that asks for nothing is the last one': () => {
    let isOver = false;
    return ({ event: { type }, calls }) => {
      const wasOver = isOver;
      isOver = type === 'TurnEnded' && calls.size === 0;
      return wasOver && type !== 'TaskEnded' ? 'the task goes on' : undefined;
    };
  },

  'an idle session owes nothing but the end of patches that were called off': () => {
    const calledOff = new Set<string>();
    return ({ event, after }) => {
      if (event.type === 'CallLost' && event.settles) calledOff.add(`settle-${event.call}`);
      if (event.type === 'PatchSettled') calledOff.delete(`settle-${event.call}`);
      const all = after.task && calledOff.size === 0 ? [] : [...sessionDecider.outstanding(after)];
      const owed = all.filter(({ key }) => !calledOff.has(key));
      if (all.length - owed.length !== calledOff.size) return `it does not owe ${[...calledOff]}`;
      return owed.length > 0 ? `it owes ${owed.map(({ key }) => key)}` : undefined;
    };
  },

  'each open question has a call that waits for it': () => {
    const open = new Set<string>();
    return ({ event, after }) => {
      const change = sessionDecider.inbox(event);
      if (change && 'open' in change) open.add(change.open.key);
      if (change && 'close' in change && !open.delete(change.close)) return `${change.close} was not open`;
      const waiting = [...(after.task?.calls.values() ?? [])].filter(({ stage }) => stage.name === 'waiting');
      const names = waiting.map(({ id }) => id);
      return names.length === open.size && names.every((name) => open.has(name))
        ? undefined
        : `open are ${[...open]}, waiting are ${names}`;
    };
  },

  'the name of a call is never used again': () => {
    const names = new Set<string>();
    return ({ event }) => {
      const given =
        event.type === 'ResponseReceived'
          ? event.calls.map(({ id }) => id)
          : event.type === 'CallRenamed'
            ? [event.to]
            : [];
      const known = given.find((name) => names.has(name) || names.size === names.add(name).size);
      return known === undefined ? undefined : `${known} is given twice`;
    };
  },

  'a call is begun once, and ends once': () => {
    const begun = new Set<string>();
    const over = new Set<string>();
    return ({ event: { type, ...event } }) => {
      const call = 'call' in event ? event.call : '';
      if (type === 'CallBegun') return begun.size === begun.add(call).size ? `${call} is begun twice` : undefined;
      if (type === 'CallAnswered') return begun.has(call) ? `${call} had begun` : undefined;
      if (type !== 'CallEnded' && type !== 'CallLost') return undefined;
      return !begun.has(call) || over.size === over.add(call).size ? `${call} does not run` : undefined;
    };
  },

  'what begins is what was asked for, and each yes is used once': () => {
    const asked = new Map<string, Of<'ApprovalAsked'>>();
    const allowed = new Map<string, string>();
    return ({ event, calls, after }) => {
      if (event.type === 'ApprovalAsked') asked.set(event.call, event);
      if (event.type === 'ApprovalResolved' && event.decision.startsWith('approved')) {
        allowed.set(event.call, asked.get(event.call)?.hash ?? '');
      }
      if (event.type === 'CallBegun') return beginProblem(event, { asked, allowed }, after);
      return event.type === 'CallsJudged' && calls.size === 0 ? 'nothing was to be judged' : undefined;
    };
  },

  'a patch is done alone, after what was named before it': () => {
    return ({ event, calls }) => {
      if (event.type !== 'CallBegun') return undefined;
      const order = [...calls.keys()];
      const others = [...calls.values()].filter(({ id }) => id !== event.call);
      const running = others.filter(({ stage }) => stage.name === 'running');
      const inTheWay = others.find(({ id, stage, deed }) => {
        const isNear = stage.name === 'running' || order.indexOf(id) < order.indexOf(event.call);
        return isNear && stage.name !== 'ended' && (event.kind === 'patch' || deed?.kind === 'patch');
      });
      if (running.length >= AT_ONCE_MAX) return `${event.call} is the ${running.length + 1}. at once`;
      return inTheWay && `${event.call} begins before ${inTheWay.id} has ended`;
    };
  },

  'the model is told what was said, and what came of each call': () => {
    let said: string[] = [];
    return ({ event, calls, after }) => {
      if (event.type === 'SessionConfigured' && event.thread) said = [];
      if (event.type === 'TaskStarted')
        said = [...(event.from === null ? said : []), ...(event.items ? [event.items.sha256] : [])];
      if (event.type === 'TurnEnded' && after.pending.length !== calls.size)
        return `of ${calls.size} calls ${after.pending.length} are told`;
      // From here on a note stands for it.
      if (event.type === 'InputLeftOut') said = said.length > 0 ? [NOTE] : said;
      if (event.type !== 'ResponseReceived') return undefined;
      const told = after.nodes.at(-1)?.input.flatMap((one) => {
        return one.type === 'items' ? [one.items.sha256] : one.type === 'left-out' ? [NOTE] : [];
      });
      const missing = said.filter((one) => !told?.includes(one));
      said = [];
      return missing.length > 0 ? `it was not told ${missing}` : undefined;
    };
  },
};

function beginProblem(
  { call, auto }: Of<'CallBegun'>,
  { asked, allowed }: { asked: ReadonlyMap<string, unknown>; allowed: Map<string, string> },
  { task }: LiveSession,
): string | undefined {
  if (auto) return asked.has(call) ? `${call} was asked for, and begins by itself` : undefined;
  const hash = task?.calls.get(call)?.deed?.hash;
  const yes = allowed.get(call);
  allowed.delete(call);
  return yes !== undefined && yes === hash ? undefined : `${call} begins as ${hash}, allowed is ${yes}`;
}
