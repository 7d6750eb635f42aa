import { readdirSync, readFileSync } from 'node:fs';

export type Living = { pid: number; parent: number; started: string; command: string; handoff: string | null };

/**
 * Every process that carries the token, in its command line or its environment. Looked for here and not by the code
 * under test, which could be blind in the same way as what it looks for.
 */
export function livingAgents(token: string): Living[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) return [];
    try {
      const command = readFileSync(`/proc/${name}/cmdline`, 'latin1').replaceAll('\0', ' ').trim();
      const environ = readFileSync(`/proc/${name}/environ`, 'latin1');
      const stat = readFileSync(`/proc/${name}/stat`, 'latin1');
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      if (command === '' || fields[0] === 'Z' || !(command.includes(token) || environ.includes(token))) return [];
      const handoff = /(?:^|\0)BATON_HANDOFF=([^\0]*)/.exec(environ)?.[1] ?? null;
      return [{ pid: Number(name), parent: Number(fields[1]), started: fields[19] ?? '', command, handoff }];
    } catch {
      return []; // gone meanwhile
    }
  });
}

/** The same process, not a later one with its number. */
export function isAlive({ pid, started }: Living): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] !== 'Z' && fields[19] === started;
  } catch {
    return false;
  }
}

/** Everything that works on the handoffs whose first process is a child of this one. */
export function agentsOf(parent: number, token: string): Living[] {
  const living = livingAgents(token);
  const own = new Set(living.filter((one) => one.parent === parent).map(({ handoff }) => handoff));
  return living.filter(({ handoff }) => handoff !== null && own.has(handoff));
}

export function describeLiving(living: readonly Living[]): string[] {
  return living.map(({ pid, command, handoff }) => `${pid} ${handoff ?? '(no marker)'} ${command.slice(0, 60)}`);
}

export function endLiving(living: readonly Living[]): void {
  for (const { pid } of living) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // it ended meanwhile
    }
  }
}
