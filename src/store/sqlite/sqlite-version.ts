/**
 * Versions 3.7.0 to 3.51.2 can lose committed data when a WAL is reset, but for the lines that were repaired.
 * From `SAFE_SINCE` on every version is safe.
 */
const SAFE_SINCE: readonly [number, number, number] = [3, 51, 3];
const SAFE_PATCHES: readonly (readonly [number, number, number])[] = [
  [3, 44, 6],
  [3, 50, 7],
];

export function isSafeSqlite(version: string): boolean {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number);
  if (![major, minor, patch].every(Number.isInteger)) return false;
  const [safeMajor, safeMinor, safePatch] = SAFE_SINCE;
  if (major !== safeMajor) return major > safeMajor;
  if (minor > safeMinor || (minor === safeMinor && patch >= safePatch)) return true;
  return SAFE_PATCHES.some(([, line, since]) => minor === line && patch >= since);
}
