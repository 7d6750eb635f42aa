import path from 'node:path';
import { BatonError } from '../../contracts/shared/errors.js';
import type { Desk } from '../../engine/desk.js';
import type { LedgerOptions } from '../../engine/operator/open-ledger.js';
import { repositoryOf } from '../../settings/repository-of.js';
import type { Parsed } from '../command.js';
import type { Io } from '../io.js';
import { listOption, readLimits } from '../job/read-options.js';
import { countOption, textOption } from '../option-values.js';

const CONCURRENCY_MAX = 1_000;

/** What was said, over what follows from where it is said. */
export async function readLedgerOptions(desk: Desk, parsed: Parsed, io: Io): Promise<LedgerOptions> {
  const named = textOption(parsed, 'repo');
  const repo = named === undefined ? repositoryOf(io.cwd) : path.resolve(io.cwd, named);
  if (repo === undefined) throw new BatonError('USAGE', 'which repository? Say --repo DIR');
  const project = textOption(parsed, 'project');
  const [env, network] = [listOption(parsed, 'env'), listOption(parsed, 'net')];
  return {
    repo,
    ...(await agentOf(desk, parsed, repo)),
    ...readPace(parsed),
    ...(project !== undefined && { project }),
    ...(env && { env }),
    ...(network && { network }),
    limits: readLimits(parsed),
  };
}

/** Nobody is needed where every task names its own, or where others come and claim. */
async function agentOf(desk: Desk, parsed: Parsed, repo: string): Promise<{ agent?: string }> {
  const said = textOption(parsed, 'agent');
  if (said !== undefined) return { agent: said };
  try {
    const { options } = await desk.withDefaults({ prompt: '', repo }, repo);
    return options.agent === undefined ? {} : { agent: options.agent };
  } catch (failure) {
    // Whether somebody is missing is told by the tasks.
    if (failure instanceof BatonError && failure.code === 'AGENT_NOT_FOUND') return {};
    throw failure;
  }
}

export function readPace(parsed: Parsed): { agent?: string; fallback?: string; concurrency?: number } {
  const concurrency = countOption(parsed, 'concurrency', { min: 1, max: CONCURRENCY_MAX });
  const [agent, fallback] = [textOption(parsed, 'agent'), textOption(parsed, 'fallback')];
  return {
    ...(agent !== undefined && { agent }),
    ...(fallback !== undefined && { fallback }),
    ...(concurrency !== undefined && { concurrency }),
  };
}
