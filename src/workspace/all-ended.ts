/** What several of them answered, side by side. When one fails, none of the others is left running. */
export async function allEnded<const Started extends readonly unknown[]>(
  ...started: Started
): Promise<{ -readonly [Index in keyof Started]: Awaited<Started[Index]> }> {
  await Promise.allSettled(started);
  return Promise.all(started) as Promise<{ -readonly [Index in keyof Started]: Awaited<Started[Index]> }>;
}
