import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

export type Call = { what: 'began' | 'overlap'; handoff: string };

/** How workers pass the time, `$NAP` being a nap that never ends and carries the token. */
export const WORK: Readonly<Record<string, string>> = {
  quick: 'sleep 0.1',
  slow: 'sleep 1.5',
  grandchild: 'setsid sh -c "sleep $NAP" >/dev/null 2>&1 & sleep 0.5',
  daemon: '(setsid nohup sh -c "sleep $NAP & wait" >/dev/null 2>&1 &); sleep 0.5',
  deaf: 'trap "" TERM; sleep 0.4; sleep 0.4',
};
/** A line of scripts. Naps are for being killed in: in peace they take none, and what they leave behind naps on. */
export function napsUntil(peace: string): string {
  return `[ -e "${peace}" ] && sleep() { :; }`;
}
export const WORKERS = Object.keys(WORK);
export const SUPERVISOR = 'reviewer';

export function resultOf(job: string): string {
  return `result of ${job}\n`;
}

/**
 * Agents that are shell scripts. Each says in a common file that it began, and holds a lock of its job while it or
 * anything it started lives: who does not get it works beside another one.
 */
export class JobAgents {
  /** Has the token in its name, so that everything an agent starts is found by it. */
  private readonly folder: string;
  private readonly calls: string;
  private readonly peace: string;

  constructor(folder: string, token: string) {
    this.folder = path.join(folder, `agents-${token}`);
    this.calls = path.join(folder, 'calls');
    this.peace = path.join(folder, 'peace');
    mkdirSync(path.join(this.folder, 'locks'), { recursive: true });
    writeFileSync(this.calls, '');
    const begin = [
      '#!/bin/sh',
      napsUntil(this.peace),
      `NAP=300.${token}`,
      'cat >/dev/null',
      `exec 9>"${this.folder}/locks/$BATON_RUN"`,
      `flock -n 9 || echo "overlap $BATON_HANDOFF" >>"${this.calls}"`,
      `echo "began $BATON_HANDOFF" >>"${this.calls}"`,
    ];
    for (const [name, work] of Object.entries(WORK)) {
      this.write(name, [...begin, work, 'echo "result of $BATON_RUN" >result.txt', answer('result.txt')]);
    }
    const looks = 'grep -qx "result of $BATON_RUN" result.txt || exit 1';
    this.write(SUPERVISOR, [...begin, 'sleep 0.2', looks, answer()]);
    this.write('check', ['#!/bin/sh', 'sleep 0.1', 'grep -q "^result of " result.txt']);
  }

  command(name: string): string {
    return path.join(this.folder, `${name}.sh`);
  }

  /** From now on nobody is killed. */
  makePeace(): void {
    writeFileSync(this.peace, '');
  }

  /** Everything that was begun, in its order, as the agents themselves wrote it down. */
  said(): Call[] {
    const lines = readFileSync(this.calls, 'utf8').trim().split('\n').filter(Boolean);
    return lines.map((line) => {
      const [what, handoff = ''] = line.split(' ');
      return { what: what as Call['what'], handoff };
    });
  }

  hasBegun(handoff: string): boolean {
    return readFileSync(this.calls, 'utf8').includes(`began ${handoff}\n`);
  }

  private write(name: string, lines: readonly string[]): void {
    writeFileSync(this.command(name), `${lines.join('\n')}\n`);
    chmodSync(this.command(name), 0o755);
  }
}

function answer(...evidence: readonly string[]): string {
  const response = { action: 'COMPLETED', summary_for_supervisor: 'Done.', evidence_files: evidence };
  return `echo '${JSON.stringify(response)}'`;
}
