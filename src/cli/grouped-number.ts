/** 88310 as `88,310`, whatever the locale. */
export function grouped(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** `1 run`, `1,204 runs`. */
export function counted(value: number, noun: string): string {
  const plural = noun.endsWith('h') ? `${noun}es` : `${noun}s`;
  return `${grouped(value)} ${value === 1 ? noun : plural}`;
}
