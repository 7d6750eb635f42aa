export type Version = readonly [major: number, minor: number, patch: number];

/** The first thing in a text that looks like a version. */
export function findVersion(text: string): string | undefined {
  return /\d+\.\d+(?:\.\d+)?(?:-[0-9A-Za-z.]{1,20})?/.exec(text.slice(0, 1000))?.[0];
}

export function parseVersion(text: string): Version {
  const [major = 0, minor = 0, patch = 0] = (/\d+(\.\d+)*/.exec(text)?.[0] ?? '').split('.').map(Number);
  return [major, minor, patch];
}

export function isAtLeast(version: Version, wanted: Version): boolean {
  for (const [index, part] of version.entries()) {
    const other = wanted[index] ?? 0;
    if (part !== other) return part > other;
  }
  return true;
}
