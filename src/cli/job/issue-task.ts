import { createHash } from 'node:crypto';
import path from 'node:path';
import { BatonError } from '../../contracts/shared/errors.js';
import type { JobOptions } from '../../engine/job/job-options.js';
import { quotedData } from '../../engine/job/quoted-data.js';
import type { Parsed } from '../command.js';
import type { Io } from '../io.js';
import { countOption, textOption } from '../option-values.js';
import { readIssue } from './github.js';

const ISSUE_MAX = 1_000_000_000;
const hasher = { sha256: (data: string | Uint8Array) => createHash('sha256').update(data).digest('hex') };

/** `--issue N`: an issue was written by anybody, so its text is data. */
export async function readIssueTask(
  parsed: Parsed,
  io: Io,
): Promise<Pick<JobOptions, 'prompt' | 'description'> | undefined> {
  const number = countOption(parsed, 'issue', { min: 1, max: ISSUE_MAX });
  if (number === undefined) return undefined;
  const others = [parsed.positionals[0], textOption(parsed, 'prompt'), textOption(parsed, 'file')];
  if (others.some((other) => other !== undefined)) throw new BatonError('USAGE', 'name an issue or a prompt, not both');
  const { title, body, url } = await readIssue(io, number, path.resolve(io.cwd, textOption(parsed, 'repo') ?? '.'));
  const issue = quotedData(hasher, `Issue ${number}, ${url}`, `${title}\n\n${body}`);
  return { prompt: `Resolve issue ${number} of this repository.\n\n${issue}`, description: `#${number} ${title}` };
}
