import { setTimeout as sleep } from 'node:timers/promises';
import { isBatonError } from '../../contracts/shared/errors.js';
import { whileDriven } from '../../engine/keep-driving.js';
import type { Baton } from '../../engine/opened-baton.js';
import { type HeldFolder, holdFolder } from '../../handler/hold-folder.js';
import { bridgeDir, bridgeOptions } from '../bridge/bridge-options.js';
import type { Parsed } from '../command.js';
import type { Io } from '../io.js';
import { type BatonCommand, inBaton } from '../opened-baton.js';
import { textOption } from '../option-values.js';
import { printable, printableJson } from '../printable.js';
import { untilStopped } from '../until-stopped.js';

const INTERRUPTED = 130;
const LOOK_MS = 100;

/** Answers whatever is asked in these folders, until it is told to end. */
export const runBridgeWatch: BatonCommand = async (parsed, io, open) => {
  const said = parsed.positionals.length > 0 ? parsed.positionals : [textOption(parsed, 'dir') ?? '.'];
  const dirs = [...new Set(said.map((dir) => bridgeDir(io, dir)))];
  const held: HeldFolder[] = [];
  const stopped = untilStopped();
  try {
    for (const dir of dirs) held.push(await holdFolder(dir));
    await inBaton(open, { drives: true }, async (baton) => {
      if (io.terminal.err) io.err(`Answering what is asked in ${dirs.map(printable).join(', ')}. Ctrl-C ends it.\n`);
      await Promise.all(dirs.map((dir) => watch(baton, parsed, io, dir, stopped.signal)));
    });
    return INTERRUPTED;
  } finally {
    stopped.forget();
    for (const one of held) await one.release();
  }
};

async function watch(baton: Baton, parsed: Parsed, io: Io, dir: string, signal: AbortSignal): Promise<void> {
  const options = bridgeOptions(parsed, dir);
  let refused: string | null = null;
  let answered = await baton.bridges.find(dir);
  while (!signal.aborted) {
    const seen = await baton.bridges.files(dir);
    if (answered !== null && !seen.request && !seen.response && !seen.state) {
      await baton.bridges.gone(answered);
      answered = null;
    }
    const asked = seen.request?.bytes ? baton.hasher.sha256(seen.request.bytes) : null;
    if (asked === null || asked === refused) {
      await sleep(LOOK_MS, undefined, { signal }).catch(() => {});
      continue;
    }
    try {
      const run = await baton.bridges.take(options, seen);
      if (run !== null) await answerOne(baton, parsed, io, run, signal);
      answered = run;
    } catch (failure) {
      if (!isBatonError(failure)) throw failure;
      // Half of a request is whole a moment later, with another hash.
      refused = asked;
      io.err(`Refused: ${printable(failure.message)}. ${failure.code}\n  ${failure.hint}\n`);
    }
  }
}

async function answerOne(baton: Baton, parsed: Parsed, io: Io, run: string, signal: AbortSignal): Promise<void> {
  const { engine, clock, bridges } = baton;
  await whileDriven({ engine, clock }, run, bridges.untilStill(run, signal));
  if (signal.aborted) return;
  const { crossings, dir } = await bridges.board(run);
  const last = crossings.at(-1);
  if (!last) return;
  const { request_id, phase, phase_name, agent_name, agent, status, error } = last;
  if (parsed.values.json) {
    const line = {
      run_id: run,
      dir,
      request_id,
      phase,
      phase_name,
      agent_name,
      agent,
      status,
      error_type: error?.type ?? null,
    };
    io.out(`${printableJson(line)}\n`);
  } else
    io.err(
      `${printable(`${dir}: phase ${phase} ${phase_name}: ${error ? `${status}, ${error.type}` : `${agent ?? agent_name} answered`}`)}\n`,
    );
}
