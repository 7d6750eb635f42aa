import { BatonError } from '../contracts/shared/errors.js';
import type { BodyRef } from '../core/kernel/effect.js';
import type { InboxQuestion } from '../core/kernel/inbox.js';
import { eventHash } from './chain.js';
import type { FoldedRun } from './folded-run.js';
import type { AnyEvent } from './machines.js';
import type { Append, Ports, SealedBody, SealedEvent, WorkerId } from './ports.js';
import type { Scrubbed } from './scrub.js';

export const EVENT_BYTES_MAX = 64 * 1024;

/** Where a command came from, and what makes it safe to send again. */
export type Origin = {
  actor: string;
  /** Same scope, key and payload: the first answer. Same scope and key, other payload: KEY_REUSED. */
  key?: { scope: string; key: string; payload: string };
  bodies?: readonly SealedBody[];
  /** What is answered, kept with the key; made from the state after the events. */
  answer?: (state: object, version: number) => string;
};

/** A key that holds a secret is kept as its hash: masked, two different keys would become the same one. */
export function sealKey(
  ports: Pick<Ports, 'scrub' | 'hasher'>,
  { scope, key, payload }: NonNullable<Origin['key']>,
): NonNullable<Origin['key']> {
  return { scope: withoutSecret(ports, scope), key: withoutSecret(ports, key), payload };
}

function withoutSecret(ports: Pick<Ports, 'scrub' | 'hasher'>, text: string): string {
  return ports.scrub(text) === text ? text : `sha256:${ports.hasher.sha256(text)}`;
}

/** Makes a body ready to be stored and names it. Scrubbed first: what is stored is what is addressed. */
export function sealBody(ports: Pick<Ports, 'scrub' | 'hasher'>, text: string): { ref: BodyRef; body: SealedBody } {
  return sealed(ports, ports.scrub(text));
}

/** A body that others read as JSON: scrubbed value by value, so that it stays JSON whatever is in it. */
export function sealJson(ports: Pick<Ports, 'scrub' | 'hasher'>, value: object): { ref: BodyRef; body: SealedBody } {
  return sealed(ports, ports.scrub.json(value).text);
}

function sealed({ hasher }: Pick<Ports, 'hasher'>, text: Scrubbed): { ref: BodyRef; body: SealedBody } {
  const bytes = new TextEncoder().encode(text);
  const sha256 = hasher.sha256(bytes);
  return { ref: { sha256, bytes: bytes.length }, body: { sha256, bytes } };
}

/**
 * Turns decided events into what the store appends, and moves the folded state on. The state is ahead of the store
 * until the append is acknowledged; when it is refused the fold is thrown away and read again.
 */
export function sealEvents(
  ports: Ports,
  folded: FoldedRun,
  events: readonly AnyEvent[],
  origin: Origin,
  as: { fence?: number; owner?: WorkerId; mayHandBack?: () => boolean },
): Append {
  const { run, machine, version: expected, head: prev } = folded;
  const at = new Date(ports.clock.nowMs()).toISOString();
  const actor = ports.scrub(origin.actor);
  const dedupe = origin.key && sealKey(ports, origin.key);
  const open: InboxQuestion[] = [];
  const close: string[] = [];
  const sealed = events.map((event): SealedEvent => {
    const { data, scrubbedEvent } = sealData(ports, event);
    const seq = folded.version + 1;
    const key = dedupe?.key ?? null;
    const row = { run, seq, type: event.type, at, actor, key, epoch: as.fence ?? null, data };
    const hash = eventHash(ports.hasher, folded.head, row);
    folded.state = machine.evolve(folded.state, scrubbedEvent);
    folded.version = seq;
    folded.head = hash;
    const change = machine.inbox(scrubbedEvent);
    if (change && 'open' in change) open.push(change.open);
    if (change && 'close' in change) close.push(change.close);
    return { seq, type: event.type, data, at, actor, key, hash };
  });
  const summary = machine.summary(folded.state);
  const rests = !summary.owes && summary.wakeAtMs === null;
  return {
    run,
    kind: machine.kind,
    expected,
    prev,
    events: sealed,
    bodies: origin.bodies ?? [],
    summary,
    inbox: { open, close },
    ...(as.fence !== undefined && { fence: as.fence, handBack: rests && as.mayHandBack?.() === true }),
    ...(as.owner !== undefined && !rests && { owner: as.owner }),
    ...(dedupe && {
      dedupe: { ...dedupe, answer: origin.answer?.(folded.state, folded.version) ?? defaultAnswer(folded) },
    }),
  };
}

/** What is folded now must be what will be folded after a restart: the scrubbed text, not the event it came from. */
function sealData(ports: Ports, event: AnyEvent): { data: Scrubbed; scrubbedEvent: AnyEvent } {
  const { type } = event;
  const { text: data, changed } = ports.scrub.json({ ...event, type: undefined });
  const bytes = data.length * 3 <= EVENT_BYTES_MAX ? data.length : new TextEncoder().encode(data).length;
  if (bytes > EVENT_BYTES_MAX) {
    throw new BatonError('PAYLOAD_TOO_LARGE', `an event ${type} of ${bytes} bytes`, {
      bytes_max: EVENT_BYTES_MAX,
    });
  }
  return { data, scrubbedEvent: changed ? { ...JSON.parse(data), type } : event };
}

function defaultAnswer({ run, version }: FoldedRun): string {
  return JSON.stringify({ run_id: run, version });
}
