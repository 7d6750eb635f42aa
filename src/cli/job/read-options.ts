import path from 'node:path';
import { BatonError } from '../../contracts/shared/errors.js';
import { BYTES_MAX, readJson } from '../../contracts/shared/read-json.js';
import type { JobOptions, LimitOptions, PhaseOptions } from '../../engine/job/job-options.js';
import { checkPhases } from '../../engine/job/phase-options.js';
import { splitWords } from '../../settings/split-words.js';
import type { Parsed } from '../command.js';
import type { Io } from '../io.js';
import { countOption, textOption } from '../option-values.js';
import { readWhole } from '../read-whole.js';
import { parseAmount, parseMinutes } from './amounts.js';
import { readIssueTask } from './issue-task.js';

const TIMEOUT_S_MAX = 7 * 86_400;
const RANK_MAX = 1_000_000;
const TEXTS = ['id', 'name', 'description', 'agent', 'supervisor', 'base', 'fallback', 'project'] as const;
const CHOICES = ['workflow', 'verify'] as const;
const LISTS = { paths: 'paths', protect: 'protect', env: 'env', after: 'after', lock: 'lock', network: 'net' } as const;

/** The flags of a job, as the options they stand for. What was not said is absent. */
export async function readJobOptions(parsed: Parsed, io: Io): Promise<JobOptions> {
  const { values } = parsed;
  const setup = textOption(parsed, 'setup');
  const phases = textOption(parsed, 'phases');
  const timeout = countOption(parsed, 'timeout-seconds', { min: 1, max: TIMEOUT_S_MAX });
  const rank = countOption(parsed, 'rank', { min: 0, max: RANK_MAX });
  return {
    ...((await readIssueTask(parsed, io)) ?? { prompt: await readPrompt(parsed, io) }),
    ...present(TEXTS.map((name) => [name, textOption(parsed, name)])),
    ...present(CHOICES.map((name) => [name, textOption(parsed, name)])),
    ...present(Object.entries(LISTS).map(([name, option]) => [name, listOption(parsed, option)])),
    ...present([
      ['repo', resolved(io, textOption(parsed, 'repo'))],
      ['setup', setup === undefined ? undefined : splitWords(setup, 'setup')],
      ['checks', listOption(parsed, 'check')?.map((command) => splitWords(command, 'check'))],
      ['phases', phases === undefined ? undefined : await readPhases(io, path.resolve(io.cwd, phases))],
      ['timeout_seconds', timeout],
      ['rank', rank],
      ['dirty', values.dirty],
      ['approve', values.approve],
    ]),
    limits: readLimits(parsed),
  };
}

/** Only what was said; `none` is 0, which is no limit. */
export function readLimits(parsed: Parsed): LimitOptions {
  const amount = (option: string, factor = 1): number | undefined => {
    const text = textOption(parsed, option);
    if (text === undefined) return undefined;
    return text === 'none' ? 0 : parseAmount(text, option) * factor;
  };
  const time = textOption(parsed, 'max-time');
  const minutes = time === undefined ? amount('time-minutes') : time === 'none' ? 0 : parseMinutes(time, 'max-time');
  return present([
    ['cost_usd', amount('max-cost') ?? amount('cost-cents', 0.01)],
    ['time_minutes', minutes],
    ['tokens', amount('max-tokens') ?? amount('tokens')],
  ]);
}

async function readPrompt(parsed: Parsed, io: Io): Promise<string> {
  const file = textOption(parsed, 'file');
  const [word] = parsed.positionals;
  const said = [word, textOption(parsed, 'prompt'), file].filter((one) => one !== undefined);
  if (said.length > 1) throw new BatonError('USAGE', 'the prompt was given twice: as an argument, --prompt or --file');
  const text =
    word === '-' ? await textOf(io, '-') : (word ?? textOption(parsed, 'prompt') ?? (await readText(io, file)));
  if (text === undefined || text.trim() === '') {
    throw new BatonError('USAGE', 'what is to be done? Give a prompt, --file FILE, or - for standard input');
  }
  return text;
}

async function readText(io: Io, file: string | undefined): Promise<string | undefined> {
  if (file === undefined) return undefined;
  return textOf(io, path.resolve(io.cwd, file));
}

/** Where it is no text nothing is guessed. */
async function textOf(io: Io, file: string): Promise<string> {
  const bytes = await readWhole(file, io, BYTES_MAX);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new BatonError('INPUT_UNREADABLE', `${file === '-' ? 'standard input' : file} is not valid UTF-8`, { file });
  }
}

async function readPhases(io: Io, file: string): Promise<readonly PhaseOptions[]> {
  const read = readJson(await readWhole(file, io, BYTES_MAX));
  if ('denial' in read) throw new BatonError(read.denial.code, `${file}: ${read.denial.reason}`, { file });
  const list = Array.isArray(read.value) ? read.value : (read.value as { phases?: unknown })?.phases;
  if (!Array.isArray(list)) throw new BatonError('SCHEMA_INVALID', `${file} is no list of phases`, { file });
  return checkPhases(list);
}

export function listOption({ values }: Parsed, name: string): readonly string[] | undefined {
  const value = values[name];
  return Array.isArray(value) ? value : undefined;
}

function resolved({ cwd }: Io, folder: string | undefined): string | undefined {
  return folder === undefined ? undefined : path.resolve(cwd, folder);
}

/** Without what is undefined. */
function present<T>(entries: readonly (readonly [string, unknown])[]): T {
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as T;
}
