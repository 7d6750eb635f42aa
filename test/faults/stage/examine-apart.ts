import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Programs } from './build-programs.js';
import { ProgramProcess } from './program-process.js';
import type { Afterwards } from './works-again.js';

/** `worksAgain` in another process, so that nothing of this one keeps the disk busy. */
export async function examineApart(
  { examiner }: Programs,
  folder: string,
  look: { home: string; acknowledged: readonly string[]; when: string },
): Promise<Afterwards> {
  const file = path.join(folder, 'examiner.json');
  writeFileSync(file, JSON.stringify(look));
  let afterwards: Afterwards | undefined;
  const started = new ProgramProcess('examiner', [process.execPath, examiner, file], (verb, rest) => {
    if (verb === 'afterwards') afterwards = JSON.parse(rest) as Afterwards;
  });
  await started.ended;
  return afterwards ?? { lost: [], problems: [`${look.when}: could not be looked at: ${started.last.join(' / ')}`] };
}
