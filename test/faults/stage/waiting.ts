const LOOK_EVERY_MS = 5;

export function pause(delayMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, delayMs));
}

/** False when it did not come to hold within so long. */
export async function within(patienceMs: number, holds: () => boolean): Promise<boolean> {
  const untilMs = performance.now() + patienceMs;
  while (!holds()) {
    if (performance.now() > untilMs) return false;
    await pause(LOOK_EVERY_MS);
  }
  return true;
}
