// Appends as the engine makes them: scrubbed, hashed onto the run's last event, with a key against repeats.
import { randomUUID } from 'node:crypto';

const SECRETS = ['not-a-secret-but-as-long', 'another-one-of-these', 'the-third-is-the-last'];
const USAGE = { inputTokens: 1200, outputTokens: 340, costMicroUsd: 8700 };

export class Appends {
  #baton;
  #scrub;

  constructor(baton) {
    this.#baton = baton;
    this.#scrub = baton.createScrub(SECRETS);
  }

  newRun() {
    const run = randomUUID();
    return { run, seq: 0, head: '', title: `errand ${run.slice(0, 8)}` };
  }

  /** The next event of a run; moves the run on, as if it were accepted. */
  next(run, { events = 1, owes = true, ended = false, keyed = true, owner } = {}) {
    const at = new Date().toISOString();
    const [expected, prev] = [run.seq, run.head];
    const sealed = Array.from({ length: events }, () => this.event(run, at));
    const dedupe = { scope: 'bench', key: `${run.run}-${run.seq}`, payload: run.head, answer: '{"version":1}' };
    return {
      ...{ run: run.run, kind: 'errand', expected, prev, events: sealed, bodies: [], inbox: { open: [], close: [] } },
      summary: summaryOf(run, owes, ended),
      ...(keyed && { dedupe }),
      ...(owner && { owner }),
    };
  }

  event(run, at) {
    const step = run.seq + 1;
    const answer = { sha256: '2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae', bytes: 3 };
    const data = this.#scrub(JSON.stringify({ atMs: Date.now(), step, answer, usage: USAGE }));
    const row = { run: run.run, seq: step, type: 'StepAnswered', at, actor: 'engine', key: null, epoch: null, data };
    run.head = this.#baton.eventHash(this.#baton.nodeHasher, run.head, row);
    run.seq = step;
    return { ...row, hash: run.head };
  }
}

function summaryOf({ title, seq }, owes, ended) {
  return {
    ...{ status: ended ? 'done' : 'asking', title, agent: 'scripted', project: null, parent: null },
    ...{
      owes,
      wakeAtMs: null,
      waitingFor: null,
      ended,
      costMicroUsd: seq * 8700,
      tokens: seq * 1540,
      activeMs: 0,
      handoffs: seq,
    },
  };
}

/** Ended runs of ten events each, as many as asked for, committed a thousand at a time. */
export async function addFinishedRuns(store, appends, count) {
  const GROUP = 250;
  for (let made = 0; made < count; ) {
    const groups = Array.from({ length: 4 }, () => {
      const size = Math.min(GROUP, count - made);
      made += size;
      const members = Array.from({ length: size }, () =>
        appends.next(appends.newRun(), { events: 10, owes: false, ended: true }),
      );
      return store.append(members);
    });
    for (const outcomes of await Promise.all(groups)) mustBeAppended(outcomes);
  }
}

export function mustBeAppended(outcomes) {
  const other = outcomes.find(({ type }) => type !== 'appended');
  if (other) throw new Error(`an append was answered with ${JSON.stringify(other)}`);
}
