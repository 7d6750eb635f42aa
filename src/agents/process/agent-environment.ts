/** What every program needs to find others, its settings, its language and a place for temporary files. */
const USUAL_NAMES: readonly string[] = [
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'SHELL',
  'LANG',
  'LC_ALL',
  'LC_CTYPE',
  'TZ',
  'TMPDIR',
];

/** Only what is named; never Baton's own variables, which hold its token and its home. */
export function agentEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
  names: readonly string[],
): Record<string, string> {
  const passed: Record<string, string> = {};
  for (const name of [...USUAL_NAMES, ...names]) {
    const value = environment[name];
    if (value !== undefined && !name.startsWith('BATON_')) passed[name] = value;
  }
  return passed;
}
