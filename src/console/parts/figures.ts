/** Numbers as people read them: with a unit, rounded down, never a bare percentage. */
export function dollars(usd: number): string {
  return `$${usd.toFixed(2)}`;
}

export function span(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} m ${String(seconds % 60).padStart(2, '0')} s`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ${minutes % 60} m` : `${Math.floor(hours / 24)} d`;
}

/** Shorter, for lists. */
export function age(ms: number): string {
  const minutes = Math.floor(Math.max(0, ms) / 60_000);
  if (minutes < 1) return `${Math.max(0, Math.floor(ms / 1_000))} s`;
  if (minutes < 60) return `${minutes} m`;
  const hours = Math.floor(minutes / 60);
  return hours < 48
    ? `${hours} h ${minutes % 60 > 0 && hours < 10 ? `${minutes % 60} m` : ''}`.trim()
    : `${Math.floor(hours / 24)} d`;
}

export function grouped(count: number): string {
  return count.toLocaleString('en-US');
}

export function tokens(count: number): string {
  if (count < 1_000) return String(count);
  return count < 1_000_000 ? `${(count / 1_000).toFixed(1)}k` : `${(count / 1_000_000).toFixed(1)}M`;
}

export function bytes(count: number): string {
  if (count < 1_000) return `${count} B`;
  return count < 1_000_000 ? `${(count / 1_000).toFixed(1)} kB` : `${(count / 1_000_000).toFixed(1)} MB`;
}

export function clockTime(at: string | number): string {
  return new Date(at).toLocaleTimeString('en-GB');
}

export function shortHash(hash: string): string {
  const bare = hash.replace(/^sha256:/, '');
  return bare.length > 12 ? `${bare.slice(0, 4)}…${bare.slice(-4)}` : bare;
}
