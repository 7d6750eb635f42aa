import path from 'node:path';
import { BatonError } from '../../contracts/shared/errors.js';
import { BYTES_MAX } from '../../contracts/shared/read-json.js';
import { findRun } from '../find-run.js';
import type { Io } from '../io.js';
import { type BatonCommand, inBaton } from '../opened-baton.js';
import { textOption } from '../option-values.js';
import { printableJson } from '../printable.js';
import { readWhole } from '../read-whole.js';
import { tellEnd, watchToRest } from './job-run.js';

/** The answer that is due, handed in by hand. What follows from it is found out at once, without asking anybody. */
export const runJobPoststep: BatonCommand = (parsed, io, open) =>
  inBaton(open, { drives: true, handoffsMax: 0 }, async (baton) => {
    const { run } = await findRun(baton.store, parsed.positionals[0] ?? '', io.cwd);
    const role = textOption(parsed, 'role');
    const file = textOption(parsed, 'response-file');
    if (role === undefined || file === undefined) throw new BatonError('USAGE', 'name --role and --response-file');
    const text = await readAnswer(io, file);
    const named = textOption(parsed, 'handoff');
    const handoff = named?.startsWith(`${run}/`)
      ? (named.slice(run.length + 1).split('/')[0] ?? null)
      : (named ?? null);
    if (parsed.values['dry-run']) {
      const { object, checks } = await baton.previewAnswer(run, { handoff, role, text });
      if (checks && !parsed.values.json) io.err('Provided that its checks pass:\n');
      io.out(`${printableJson(object)}\n`);
      return 0;
    }
    const sealed = baton.jobs.seal(text);
    const origin = {
      actor: io.env.USER ?? 'cli',
      ...(handoff !== null && {
        key: { scope: `job:${run}`, key: `poststep-${handoff}`, payload: baton.hasher.sha256(text) },
      }),
    };
    const { version: after } = await findRun(baton.store, run, io.cwd);
    const command = { type: 'PostStep', handoff, role, answer: sealed.ref } as const;
    const outcome = await baton.jobs.send(run, command, origin, [sealed.body]);
    if (outcome.type === 'repeated') await tellEnd(baton, parsed, io, run, false);
    else await watchToRest(baton, parsed, io, run, { oneHandoff: true, after });
    return 0;
  });

/** As it is: where it is no text nothing is guessed. */
async function readAnswer(io: Io, file: string): Promise<string> {
  const bytes = await readWhole(file === '-' ? file : path.resolve(io.cwd, file), io, BYTES_MAX);
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new BatonError('SCHEMA_INVALID', `${file} is not valid UTF-8`, { file });
  }
}
