/** For the live log: what became of the conversation of another run. */
export function copyLine({ run, problem }: { run: string; problem?: string }): string {
  if (problem === undefined) return `goes on with a copy of the conversation of ${run}`;
  return `begins a new conversation instead of that of ${run}: ${problem}`;
}
