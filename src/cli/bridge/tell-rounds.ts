import type { BridgeEvent, BridgeReply, TakenRequest } from '../../core/bridge/bridge-messages.js';
import type { Baton } from '../../engine/opened-baton.js';
import type { Io } from '../io.js';
import { duration, tokens } from '../job/amounts.js';
import { mark } from '../mark.js';
import { printable } from '../printable.js';

const PAGE = 200;

type Tail = { end(): Promise<void> };

/** A line per phase for whoever watches a terminal. The orchestrator has standard output for itself. */
export async function tellRounds(
  { store, engine }: Pick<Baton, 'store' | 'engine'>,
  io: Io,
  run: string,
  { after, asked }: { after: number; asked: TakenRequest | null },
): Promise<Tail> {
  if (!io.terminal.err) return { end: async () => {} };
  let seq = after;
  const lines = new RoundLines(io, asked);
  const look = async (): Promise<void> => {
    for (const row of await store.events(run, seq, PAGE)) {
      if (row.seq <= seq) continue;
      seq = row.seq;
      for (const line of lines.of({ ...JSON.parse(row.data), type: row.type } as BridgeEvent))
        io.err(`${printable(line)}\n`);
    }
  };
  let telling = look();
  const unwatch = engine.watch(run, () => {
    telling = telling.then(look).catch(() => undefined);
  });
  return {
    async end() {
      unwatch();
      await telling.then(look).catch(() => undefined);
    },
  };
}

const PHASE_WIDTH = 26;

function phaseOf({ phase, phase_name }: TakenRequest): string {
  return `phase ${phase} ${phase_name}`.padEnd(PHASE_WIDTH);
}

/** What is told of each event; an answer is told together with what was asked. */
class RoundLines {
  private asked = '';
  private readonly io: Io;

  constructor(io: Io, asked: TakenRequest | null) {
    this.io = io;
    if (asked) this.asked = phaseOf(asked);
  }

  of(event: BridgeEvent): string[] {
    switch (event.type) {
      case 'RequestTaken': {
        const { agent_name, answerer } = event.request;
        const who = answerer && answerer.agent !== agent_name ? `${agent_name} (${answerer.agent})` : agent_name;
        this.asked = phaseOf(event.request);
        return [`  ${this.asked} ${who} is asked`];
      }
      case 'RequestRepeated':
        return [`${mark(this.io, 'note')} the same request again: answered from the log`];
      case 'HandoffEnded':
        return event.action === 'RETRY' && event.reason !== null && event.cause !== 'paused'
          ? [`${mark(this.io, 'note')} ${this.asked} ${event.reason}; asked again`]
          : [];
      case 'HandoffParked':
        return [`${mark(this.io, 'note')} ${this.asked} waits: ${event.reason}`];
      case 'PersonAsked':
        return [`? ${this.asked} waits for you: baton inbox, or baton bridge respond`];
      case 'RequestAnswered':
        return [this.answered(event.reply, event.by)];
      case 'RoundLost':
        return [`${mark(this.io, 'note')} round ${event.round}: ${event.reason}`];
      default:
        return [];
    }
  }

  private answered({ status, error, durationMs, tokens: used, confidence }: BridgeReply, by: string): string {
    const took = durationMs === null ? [] : [duration(durationMs)];
    const spent = used === null ? [] : [`${tokens(used)} tokens`];
    const sure = confidence === null ? [] : [`confidence ${confidence.toFixed(2)}`];
    const said = error
      ? [`${status}: ${error.type}, ${error.message}`]
      : [`${by} answered`, ...took, ...spent, ...sure];
    return `${mark(this.io, error ? 'bad' : 'ok')} ${this.asked} ${said.join(' · ')}`;
  }
}
