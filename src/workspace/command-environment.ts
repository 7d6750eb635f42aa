/** What every command gets; all else only when it is asked for by name. */
const ALWAYS: readonly string[] = ['PATH', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR'];

export function commandEnvironment(
  environment: NodeJS.ProcessEnv,
  names: readonly string[],
  home: string | undefined,
): Record<string, string> {
  const given = [...ALWAYS, ...names].flatMap((name) => {
    const value = environment[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...(home !== undefined && { HOME: home }), ...Object.fromEntries(given) };
}
