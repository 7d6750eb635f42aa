import path from 'node:path';
import { BatonError } from '../../contracts/shared/errors.js';
import { BYTES_MAX } from '../../contracts/shared/read-json.js';
import { handoffIn } from '../../engine/job/hand-in.js';
import { findRun } from '../find-run.js';
import type { Io } from '../io.js';
import { atDesk, type DeskCommand } from '../opened-desk.js';
import { textOption } from '../option-values.js';
import { printableJson } from '../printable.js';
import { readWhole } from '../read-whole.js';
import { tellEnd, watchToRest } from './job-run.js';

/** The answer that is due, handed in by hand. What follows from it is found out at once, without asking anybody. */
export const runJobPoststep: DeskCommand = (parsed, io, open) =>
  atDesk(open, { drives: true, handoffsMax: 0 }, async (desk) => {
    const { run, version: after } = await findRun(desk.store, parsed.positionals[0] ?? '', io.cwd);
    const role = textOption(parsed, 'role');
    const file = textOption(parsed, 'response-file');
    if (role === undefined || file === undefined) throw new BatonError('USAGE', 'name --role and --response-file');
    const text = await readAnswer(io, file);
    const handoff = textOption(parsed, 'handoff') ?? null;
    if (parsed.values['dry-run']) {
      const { object, checks } = await desk.previewAnswer(run, { handoff: handoffIn(run, handoff), role, text });
      if (checks && !parsed.values.json) io.err('Provided that its checks pass:\n');
      io.out(`${printableJson(object)}\n`);
      return 0;
    }
    const { repeated } = await desk.handIn(run, { role, text, handoff }, { actor: io.env.USER ?? 'cli' });
    if (repeated) await tellEnd(desk, parsed, io, run, false);
    else await watchToRest(desk, parsed, io, run, { oneHandoff: true, after });
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
