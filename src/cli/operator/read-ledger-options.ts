import path from 'node:path';
import { BatonError } from '../../contracts/shared/errors.js';
import type { Desk } from '../../engine/desk.js';
import { type LedgerOptions, ledgerDefaults } from '../../engine/operator/open-ledger.js';
import type { Parsed } from '../command.js';
import type { Io } from '../io.js';
import { listOption, readLimits } from '../job/read-options.js';
import { countOption, textOption } from '../option-values.js';

const CONCURRENCY_MAX = 1_000;

/** What was said, over what follows from where it is said. */
export async function readLedgerOptions(desk: Desk, parsed: Parsed, io: Io): Promise<LedgerOptions> {
  const [named, agent] = [textOption(parsed, 'repo'), textOption(parsed, 'agent')];
  const said = {
    ...(named !== undefined && { repo: path.resolve(io.cwd, named) }),
    ...(agent !== undefined && { agent }),
  };
  const { repo, ...who } = await ledgerDefaults(desk, said, io.cwd);
  if (repo === undefined) throw new BatonError('USAGE', 'which repository? Say --repo DIR');
  const [project, planner] = [textOption(parsed, 'project'), textOption(parsed, 'planner')];
  const [env, network] = [listOption(parsed, 'env'), listOption(parsed, 'net')];
  return {
    repo,
    ...who,
    ...readPace(parsed),
    ...(project !== undefined && { project }),
    ...(planner !== undefined && { planner }),
    ...(env && { env }),
    ...(network && { network }),
    limits: readLimits(parsed),
  };
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
