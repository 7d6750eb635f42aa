import type { EnvelopeEvent } from '../../core/envelope/envelope-messages.js';
import type { Desk } from '../../engine/desk.js';
import type { Io } from '../io.js';
import { printable } from '../printable.js';

const PAGE = 200;

/** A line per stage for whoever watches a terminal; what is printed on standard output stays one envelope. */
export function tellStages({ store, engine }: Desk, io: Io, input: unknown): () => void {
  const run = (input as { envelope_id?: unknown } | null)?.envelope_id;
  if (!io.terminal.err || typeof run !== 'string') return () => {};
  let seq: number | null = null;
  let telling = Promise.resolve();
  const look = async (): Promise<void> => {
    seq ??= 0;
    const rows = await store.events(run, seq, PAGE);
    for (const row of rows) {
      seq = row.seq;
      const line = lineOf({ ...JSON.parse(row.data), type: row.type } as EnvelopeEvent);
      if (line !== null) io.err(`${printable(line)}\n`);
    }
  };
  const begin = store.run(run).then((row) => {
    seq = row?.version ?? 0;
  });
  telling = begin.catch(() => undefined);
  return engine.watch(run, () => {
    telling = telling.then(look).catch(() => undefined);
  });
}

function lineOf(event: EnvelopeEvent): string | null {
  switch (event.type) {
    case 'HandoffAsked':
      return `${event.stage}: ${event.agent} is asked${event.attempt > 1 ? `, try ${event.attempt}` : ''}`;
    case 'HandoffEnded':
      return event.reason === null ? null : `${event.stage}: ${event.reason}`;
    case 'StageEnded':
      return `${event.end.stage}: ${event.end.type === 'error' ? event.end.error.message : event.end.type === 'confirm' ? 'asks for a yes' : 'done'}`;
    case 'EnvelopeMoved':
      return event.moved.standing.ended === null
        ? null
        : `ended: ${event.moved.standing.sentence ?? event.moved.standing.ended}`;
    default:
      return null;
  }
}
