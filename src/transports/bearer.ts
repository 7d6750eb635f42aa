/** The token of `Authorization: Bearer TOKEN`. Another kind of authorization is one that does not count. */
export function bearerOf(header: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  return /^bearer +(\S+)$/i.exec(header.trim())?.[1] ?? '';
}
