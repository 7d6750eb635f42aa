import { BRIDGE_FILES } from '../../contracts/bridge/bridge-file-names.js';
import { BYTES_MAX } from '../../contracts/shared/read-json.js';
import type { FileName } from '../../core/bridge/bridge-messages.js';
import type { Baton } from '../../engine/opened-baton.js';
import { bridgeFolder } from '../../handler/bridge-folder.js';
import { busy, holderOf, holdFolder } from '../../handler/hold-folder.js';
import { age } from '../age.js';
import { bridgeDir } from '../bridge/bridge-options.js';
import { bridgeStanding } from '../bridge/bridge-standing.js';
import type { Io } from '../io.js';
import { type BatonCommand, inBaton } from '../opened-baton.js';
import { textOption } from '../option-values.js';
import { printable, printableJson } from '../printable.js';
import { readWhole } from '../read-whole.js';

export const runBridgeRespond: BatonCommand = async (parsed, io, open) => {
  const dir = bridgeDir(io, textOption(parsed, 'dir'));
  const text = (await readWhole(parsed.positionals[0] ?? '-', io, BYTES_MAX)).toString('utf8');
  return inBaton(open, { drives: true }, async ({ bridges }) => {
    const pid = await holderOf(dir);
    // Of a handler with another home: what it asks for is not known here, and its files are not ours to take.
    if (pid !== null && (await bridges.find(dir)) === null) throw busy(dir, pid);
    const { run, reply } = await bridges.respond({ dir }, text, io.env.USER ?? 'cli');
    const { request_id, status } = reply;
    const isHandled = pid !== null;
    if (parsed.values.json) io.out(`${printableJson({ run_id: run, request_id, status, dir })}\n`);
    else {
      io.err(`Answered request ${request_id} in ${printable(dir)}: ${status}.\n`);
      io.err(isHandled ? '  Its handler goes on with it.\n' : '  Next: run the orchestrator again with --resume.\n');
    }
    return 0;
  });
};

/** Only the handler of a folder, or nobody, may take its files away. */
export const runBridgeCleanup: BatonCommand = async (parsed, io, open) => {
  const dir = bridgeDir(io, textOption(parsed, 'dir'));
  const held = await holdFolder(dir);
  try {
    return await inBaton(open, { drives: true }, async ({ bridges }) => {
      const seen = await bridges.files(dir);
      const removed = NAMES.flatMap((name, index) => (seen[name] ? [BRIDGE_FILES[index] ?? name] : []));
      const run = await bridges.abandon(dir);
      for (const name of NAMES) await bridgeFolder.remove(dir, name);
      await bridgeFolder.sweep(dir);
      if (parsed.values.json) io.out(`${printableJson({ dir, removed, run_id: run })}\n`);
      else tellCleanup(io, removed, run);
      return 0;
    });
  } finally {
    await held.release();
  }
};

const NAMES: readonly FileName[] = ['request', 'response', 'state'];

function tellCleanup(io: Io, removed: readonly string[], run: string | null): void {
  for (const name of removed) io.err(`Removed checkpoint file ${name}\n`);
  if (run) io.err(`${run} is given up: the next run begins anew.\n`);
  if (removed.length === 0 && !run) io.err('There was nothing to clean up.\n');
}

export const runBridgeStatus: BatonCommand = async (parsed, io, open) => {
  const dir = bridgeDir(io, textOption(parsed, 'dir'));
  return inBaton(open, {}, async (baton) => {
    const status = await statusIn(baton, dir);
    if (parsed.values.json) io.out(`${printableJson(status)}\n`);
    else for (const line of linesOf(status, baton.clock.nowMs())) io.out(`${printable(line)}\n`);
    return 0;
  });
};

type Status = Awaited<ReturnType<typeof statusIn>>;

async function statusIn({ bridges, hasher }: Baton, dir: string) {
  const [run, seen, handler_pid] = await Promise.all([bridges.newest(dir), bridges.files(dir), holderOf(dir)]);
  const board = run === null ? null : await bridges.board(run);
  const files = Object.fromEntries(
    NAMES.map((name) => {
      const file = seen[name];
      if (!file) return [name, null];
      const fields = fieldsIn(file.bytes);
      const at = file.atMs === null ? null : new Date(file.atMs).toISOString();
      const sha256 = file.bytes && hasher.sha256(file.bytes);
      return [name, { sha256, written_at: at, request_id: fields.request_id ?? null, problem: file.problem }];
    }),
  ) as Record<
    FileName,
    { sha256: string | null; written_at: string | null; request_id: unknown; problem: string | null } | null
  >;
  const { status, holder, next } = bridgeStanding({
    ...{ status: board?.status ?? null, holder: board?.holder ?? null, handlerPid: handler_pid },
    ...{ isAsked: seen.request !== null, isAnswered: seen.response !== null },
  });
  return {
    ...{ dir, run_id: run, status, holder, handler_pid, files, next },
    request: seen.request?.bytes ? fieldsIn(seen.request.bytes) : null,
    ...{ rounds: board?.rounds.length ?? 0, idle_rounds: board?.idle_rounds ?? null, end: board?.end ?? null },
  };
}

function fieldsIn(bytes: Uint8Array | null): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes ?? new Uint8Array()));
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

const NAME_WIDTH = 10;
const ID_LENGTH = 8;

function linesOf({ dir, run_id, status, holder, handler_pid, files, request, next }: Status, nowMs: number): string[] {
  const holders = {
    orchestrator: 'the orchestrator has the baton',
    agent: 'an agent has the baton',
    you: 'you have the baton',
  };
  const standing = [
    status === 'none' ? 'no bridge yet' : status,
    holder && holders[holder],
    handler_pid && `handled by process ${handler_pid}`,
  ];
  const waits = request ? [`waits      phase ${request.phase} ${request.phase_name}: ${request.agent_name}`] : [];
  const rows = NAMES.map((name) => {
    const file = files[name];
    if (!file) return `${name.padEnd(NAME_WIDTH)} -`;
    const since = file.written_at === null ? '' : age(file.written_at, nowMs);
    const id = typeof file.request_id === 'string' ? `  for ${file.request_id.slice(0, ID_LENGTH)}` : '';
    return `${name.padEnd(NAME_WIDTH)} ${file.problem ?? `${file.sha256?.slice(0, ID_LENGTH)}  ${since} old${id}`}`;
  });
  return [
    `${standing.filter(Boolean).join(' · ')}${run_id ? `  ${run_id}` : ''}`,
    `folder     ${dir}`,
    ...waits,
    ...rows,
    `next       ${next}`,
  ];
}
