import path from 'node:path';
import { BatonError } from '../../contracts/shared/errors.js';
import { BYTES_MAX } from '../../contracts/shared/read-json.js';
import type { OpOf } from '../../engine/session/session-orders.js';
import type { SessionPlace } from '../../engine/session/session-place.js';
import type { Parsed } from '../command.js';
import type { Io } from '../io.js';
import { listOption } from '../job/read-options.js';
import { textOption } from '../option-values.js';
import { readWhole } from '../read-whole.js';
import { settingsSaid } from './session-options.js';

/** What the task is; null: to go on with what is pending. Read before anything is opened. */
export async function readPrompt(parsed: Parsed, io: Io): Promise<string | null> {
  const [word] = parsed.positionals;
  if (word === undefined && textOption(parsed, 'resume') !== undefined) return goingOn(parsed, io);
  const text = word === '-' ? await standardInput(io) : (word ?? '');
  if (text.trim() === '') throw new BatonError('USAGE', 'what is to be done? Give a prompt, or - for standard input');
  const more = word === '-' ? '' : await piped(io);
  return more.trim() === '' ? text : `${text}\n\n<stdin>\n${more.replace(/\n$/, '')}\n</stdin>`;
}

export function inputOf(text: string, { isFar }: SessionPlace, parsed: Parsed, io: Io): OpOf<'user_input'> {
  const images = (listOption(parsed, 'image') ?? []).map((file) => (isFar ? file : path.resolve(io.cwd, file)));
  return {
    type: 'user_input',
    items: [{ type: 'text', text }, ...images.map((file) => ({ type: 'local_image' as const, path: file }))],
  };
}

/** Without a prompt nothing may be said that only a new task could follow. */
async function goingOn(parsed: Parsed, io: Io): Promise<null> {
  const said = [...settingsSaid(parsed), ...(parsed.values.image === undefined ? [] : ['image'])];
  if (said.length > 0) {
    const names = said.map((name) => `--${name}`).join(', ');
    throw new BatonError('USAGE', `${names} would interrupt what is pending: leave it out, or give a prompt with it`);
  }
  if ((await piped(io)).trim() === '') return null;
  throw new BatonError('USAGE', 'standard input holds something: - makes it the prompt, < /dev/null leaves it out');
}

async function standardInput(io: Io): Promise<string> {
  return new TextDecoder().decode(await readWhole('-', io, BYTES_MAX));
}

async function piped(io: Io): Promise<string> {
  return io.isPiped === true ? standardInput(io) : '';
}
