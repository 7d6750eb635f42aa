import { ERRORS, type ErrorCode } from '../../contracts/shared/errors.js';
import type { BridgeOptions, BridgeOutcome } from '../../engine/bridge/bridge-service.js';
import type { Baton } from '../../engine/opened-baton.js';
import { holdFolder } from '../../handler/hold-folder.js';
import { bridgeDir, bridgeOptions } from '../bridge/bridge-options.js';
import { tellRounds } from '../bridge/tell-rounds.js';
import type { Parsed } from '../command.js';
import type { Io } from '../io.js';
import { type BatonCommand, inBaton } from '../opened-baton.js';
import { textOption } from '../option-values.js';
import { printable, printableJson } from '../printable.js';
import { untilStopped } from '../until-stopped.js';

const INTERRUPTED = 130;
const STDOUT = 1;
const STDERR = 2;

/** Runs an orchestrator until it ends with something else than 42; its exit code is ours. */
export const runBridgeRun: BatonCommand = async (parsed, io, open) => {
  const dir = bridgeDir(io, textOption(parsed, 'dir'));
  const held = await holdFolder(dir);
  const stopped = untilStopped();
  try {
    return await inBaton(open, { drives: true }, (baton) => handle(baton, parsed, io, dir, stopped.signal));
  } finally {
    stopped.forget();
    await held.release();
  }
};

async function handle(baton: Baton, parsed: Parsed, io: Io, dir: string, signal: AbortSignal): Promise<number> {
  const handler = baton.ids.uuid();
  const argv = parsed.positionals;
  const options: BridgeOptions = { ...bridgeOptions(parsed, dir), argv };
  // With --json standard output is one value: what the orchestrator prints goes to standard error.
  baton.handlers.set(handler, { argv, output: { out: parsed.values.json ? STDERR : STDOUT, err: STDERR } });
  const known = await baton.bridges.find(dir);
  const before = known === null ? 0 : ((await baton.store.run(known))?.version ?? 0);
  const asked = known === null ? null : (await baton.bridges.state(known)).request;
  const run = await tellWaiting(io, known, baton.bridges.begin(options, handler, signal));
  if (known !== null && io.terminal.err) io.err(`${run} goes on where it was.\n`);
  const tail = await tellRounds(baton, io, run, { after: before, asked });
  const outcome = await baton.bridges.outcome(run, options, handler, signal);
  if (outcome === null) await baton.bridges.rest(run, handler);
  await tail.end();
  if (parsed.values.json) io.out(`${printableJson(await resultOf(baton, run))}\n`);
  else tellEnd(io, run, outcome, (await baton.bridges.state(run)).files.state !== null);
  return outcome === null ? INTERRUPTED : outcome.exitCode;
}

const PATIENCE_MS = 1_000;

/** A server may still ask for what a handler that was killed had asked for. */
async function tellWaiting<T>(io: Io, known: string | null, beginning: Promise<T>): Promise<T> {
  const told = `${known} is asked for elsewhere, by a server of this home; it goes on here after that.\n`;
  const waiting = setTimeout(() => known !== null && io.err(told), PATIENCE_MS);
  return beginning.finally(() => clearTimeout(waiting));
}

async function resultOf(baton: Baton, run: string): Promise<object> {
  const { run_id, dir, status, end, rounds, crossings } = await baton.bridges.board(run);
  return {
    ...{ run_id, dir, status, exit_code: end?.exit_code ?? INTERRUPTED, rounds: rounds.length },
    problem: end?.problem ?? null,
    requests: crossings.map(({ request_id, phase, phase_name, agent_name, agent, attempts, ...crossing }) => ({
      ...{ request_id, phase, phase_name, agent_name, agent, attempts },
      ...{ status: crossing.status, error_type: crossing.error?.type ?? null, confidence: crossing.confidence },
    })),
  };
}

function tellEnd(io: Io, run: string, outcome: BridgeOutcome, isKept: boolean): void {
  if (outcome === null) {
    io.err(`${run} keeps everything. The same command goes on where it was.\n`);
    return;
  }
  const { exitCode, problem } = outcome;
  if (exitCode === 0) return;
  if (!problem) {
    const next = isKept ? ' Its checkpoint is kept: the same command goes on from it.' : '';
    io.err(`${run}: the orchestrator ended with ${exitCode}.${next}\n`);
    return;
  }
  const { hint } = Object.hasOwn(ERRORS, problem.code) ? ERRORS[problem.code as ErrorCode] : { hint: '' };
  io.err(`Failed: ${printable(problem.reason)}. ${problem.code}\n  ${hint}\n`);
}
