const UNITS = [
  { ms: 86_400_000, name: 'd' },
  { ms: 3_600_000, name: 'h' },
  { ms: 60_000, name: 'min' },
] as const;

/** How long ago, in the largest unit that fits. */
export function age(at: string, nowMs: number): string {
  const ms = Math.max(0, nowMs - Date.parse(at));
  const unit = UNITS.find((one) => ms >= one.ms);
  return unit ? `${Math.floor(ms / unit.ms)} ${unit.name}` : `${Math.floor(ms / 1_000)} s`;
}
