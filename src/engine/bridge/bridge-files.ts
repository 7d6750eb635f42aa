import type { BridgeCrossing, BridgeFile, BridgeFiles, BridgePhase } from '../../contracts/api/bridge-shapes.js';
import { isObject } from '../../contracts/shared/is-object.js';
import type { BridgeEvent, FileName, KeptFile } from '../../core/bridge/bridge-messages.js';
import type { LiveBridge } from '../../core/bridge/bridge-state.js';
import type { EventStore, Hasher } from '../ports.js';
import type { Told } from './bridge-crossings.js';
import { responseDocument } from './response-document.js';

export type FileSources = { store: Pick<EventStore, 'body'>; hasher: Hasher };

const PHASES_MAX = 9;

export async function filesOf(sources: FileSources, live: LiveBridge, told: readonly Told[]): Promise<BridgeFiles> {
  const one = async (name: FileName): Promise<BridgeFile | null> => {
    const file = live.files[name];
    if (!file) return null;
    const { sha256, bytes } = file.body;
    const fields = await fieldsIn(sources.store, file);
    const id = name === 'state' ? openIn(fields) : textIn(fields.request_id);
    const seen_at = told.findLast(({ event }) => 'files' in event && event.files[name] !== null)?.at ?? '';
    return { sha256, bytes, seen_at, written_at: timeIn(fields), is_masked: file.isMasked, id, by_baton: false };
  };
  const [request = null, response = null, state = null] = await Promise.all([
    ...[one('request'), one('response'), one('state')],
  ]);
  return { request, response: response ?? (await writtenResponse(sources, live, told)), state };
}

/** Baton's own answer lies there until the orchestrator has read it; nobody looks into the folder in between. */
async function writtenResponse(
  { store, hasher }: FileSources,
  { reply, request }: LiveBridge,
  told: readonly Told[],
): Promise<BridgeFile | null> {
  const last = told.findLast(({ event: { type } }) => HANDED.includes(type))?.event.type;
  if (!reply || request || (last !== 'RoundStarted' && last !== 'ResponseDelivered')) return null;
  const text = await responseDocument(store, reply);
  const at = new Date(reply.atMs).toISOString();
  return {
    ...{ sha256: hasher.sha256(text), bytes: new TextEncoder().encode(text).length, seen_at: at, written_at: at },
    ...{ is_masked: false, id: reply.request_id, by_baton: true },
  };
}

/** Behind the others of these nobody knows whether it was read. */
const HANDED: readonly BridgeEvent['type'][] = [
  ...(['RoundStarted', 'ResponseDelivered', 'RoundEnded', 'RoundLost', 'BridgePaused'] as const),
];

/** As the checkpoint says; it is the orchestrator's word. */
export async function phasesOf(
  { store }: Pick<FileSources, 'store'>,
  { files, request, end }: LiveBridge,
  crossings: readonly BridgeCrossing[],
): Promise<BridgePhase[]> {
  const state = files.state ? await fieldsIn(store, files.state) : {};
  const done = new Map<number, string | null>();
  for (const row of Array.isArray(state.completed_phases) ? state.completed_phases : []) {
    if (isObject(row) && typeof row.phase === 'number') done.set(row.phase, textIn(row.phase_name));
  }
  const now = request?.phase ?? (typeof state.phase === 'number' ? state.phase : 0);
  return Array.from({ length: PHASES_MAX }, (_, index): BridgePhase => {
    const phase = index + 1;
    const asked = crossings.findLast((crossing) => crossing.phase === phase)?.phase_name;
    const own = phase === now ? textIn(state.phase_name) : null;
    const isOver = done.has(phase) || phase < now || (phase === now && end?.exitCode === 0);
    const isAsked = request?.phase === phase;
    const standing = isOver && !isAsked ? 'done' : phase === now ? 'now' : 'due';
    return { phase, phase_name: done.get(phase) ?? asked ?? own, standing };
  });
}

function openIn({ agent_requests: requests }: Record<string, unknown>): string | null {
  const open = Array.isArray(requests) ? requests.findLast((row) => isObject(row) && row.status === 'pending') : null;
  return textIn(open?.request_id);
}

function timeIn({ created_at: at }: Record<string, unknown>): string | null {
  return typeof at === 'string' && !Number.isNaN(Date.parse(at)) ? at : null;
}

function textIn(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

async function fieldsIn(store: FileSources['store'], { body }: KeptFile): Promise<Record<string, unknown>> {
  const bytes = await store.body(body.sha256);
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes ?? new Uint8Array()));
    return isObject(value) ? { ...value } : {};
  } catch {
    return {};
  }
}
