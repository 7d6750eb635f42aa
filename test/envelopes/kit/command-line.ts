import { isDeepStrictEqual } from 'node:util';
import { LANGUAGES, type Language, runExample, SAID } from './interop.js';

/** Exit code of `npm run interop`: 1 when an example fails, or cannot be run because its language is not installed. */
export async function interopFromCommandLine(chosen: readonly string[]): Promise<number> {
  const known = Object.keys(LANGUAGES) as Language[];
  const unknown = chosen.find((name) => !known.includes(name as Language));
  if (unknown !== undefined) {
    console.error(`no example in ${unknown}; there are: ${known.join(', ')}`);
    return 2;
  }
  let code = 0;
  for (const language of chosen.length === 0 ? known : (chosen as Language[])) {
    const problem = await problemOf(language);
    console.log(`${language}: ${problem ?? `all ${SAID.length} lines as they should be`}`);
    if (problem !== null) code = 1;
  }
  return code;
}

async function problemOf(language: Language): Promise<string | null> {
  try {
    const { code, out, err } = await runExample(language);
    if (code !== 0) return `ended with ${code}: ${err.trim()}`;
    return isDeepStrictEqual(out.trimEnd().split('\n'), SAID) ? null : `printed something else:\n${out}`;
  } catch (failure) {
    const { program } = LANGUAGES[language];
    if ((failure as NodeJS.ErrnoException).code === 'ENOENT') return `NOT RUN: ${program} is not on PATH`;
    throw failure;
  }
}
