import { chmodSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { WORK } from '../jobs/job-agents.js';

/** One call of an agent, as it wrote it down itself; `endedMs` is null when it did not come that far. */
export type Call = { request_id: string; handoff: string; pid: number; beganMs: number; endedMs: number | null };
/** One start of an orchestrator, and by which program. */
export type Start = { play: string; pid: number; sinceMs: number; by: string };
/** What somebody else does in the folder just before the orchestrator looks at it. */
export type Mischief = 'stale' | 'gone';

/** A bug in the orchestrator's own module. */
export type ModuleBug = { from: string; to: string };

export const WORKERS = ['quick', 'grandchild', 'daemon', 'deaf'] as const;
const MODULE = 'baton_bridge.py';

/** What an agent answers: whose answer it is can be seen in what the orchestrator makes of it. */
export function answerTo(request_id: string, phase: number): string {
  if (phase !== 1) return `answer to ${request_id}\n`;
  return `{"primary_language":"language of ${request_id}","overall_confidence":0.92}\n`;
}

/**
 * The orchestrator of the examples behind a script that writes down each start, and agents that write down each call.
 * Both hold a lock while they or anything they started lives: who does not get it works beside another one.
 */
export class BridgePrograms {
  /** Has the token in its name, so that everything they start is found by it. */
  private readonly folder: string;
  private readonly calls: string;
  private readonly starts: string;
  readonly orchestrator: string;

  constructor(root: string, folder: string, token: string, bug?: ModuleBug) {
    this.folder = path.join(folder, `programs-${token}`);
    this.calls = path.join(folder, 'calls');
    this.starts = path.join(folder, 'starts');
    this.orchestrator = this.command('orchestrator');
    mkdirSync(path.join(this.folder, 'locks'), { recursive: true });
    for (const file of [this.calls, this.starts]) writeFileSync(file, '');
    const examples = path.join(root, 'examples/bridge');
    copyFileSync(path.join(examples, 'orchestrator.py'), path.join(this.folder, 'orchestrator.py'));
    writeFileSync(path.join(this.folder, MODULE), withBug(readFileSync(path.join(examples, MODULE), 'utf8'), bug));
    this.write('orchestrator', this.orchestratorLines());
    for (const name of WORKERS) this.write(name, this.agentLines(token, WORK[name] as string));
  }

  command(name: string): string {
    return path.join(this.folder, `${name}.sh`);
  }

  /** Done by the next resumed start in this folder, once. */
  plan(dir: string, mischief: Mischief): void {
    writeFileSync(path.join(this.folder, `${path.basename(dir)}.${mischief}`), STALE);
  }

  called(): Call[] {
    const calls = new Map<string, Call>();
    for (const line of linesOf(this.calls)) {
      const [what = '', request_id = '', handoff = '', pid = '', at = ''] = line.split(' ');
      const known = calls.get(`${handoff} ${pid}`);
      if (known && what === 'ended') calls.set(`${handoff} ${pid}`, { ...known, endedMs: Number(at) });
      if (what === 'began') {
        calls.set(`${handoff} ${pid}`, {
          ...{ request_id, handoff, pid: Number(pid), beganMs: Number(at), endedMs: null },
        });
      }
    }
    return [...calls.values()];
  }

  started(): Start[] {
    return linesOf(this.starts).flatMap((line) => {
      const [what, play = '', pid = '', at = '', by = ''] = line.split(' ');
      return what === 'started' ? [{ play, pid: Number(pid), sinceMs: Number(at), by }] : [];
    });
  }

  /** Who worked beside another one. */
  overlaps(): string[] {
    return [...linesOf(this.calls), ...linesOf(this.starts)].filter((line) => line.startsWith('overlap '));
  }

  /** What a line is about is written before anything else is done, so that who is killed has left a trace. */
  private orchestratorLines(): string[] {
    const play = `PLAY=$(basename "$PWD")`;
    const marker = (mischief: Mischief): string => `"${this.folder}/$PLAY.${mischief}"`;
    const does = (mischief: Mischief, deed: string): string =>
      `if [ "$1" = --resume ] && [ -f ${marker(mischief)} ]; then ${deed}; fi`;
    return [
      play,
      `exec 9>"${this.folder}/locks/$PLAY"`,
      `flock -n 9 || echo "overlap orchestrator $PLAY $STARTED_BY" >>"${this.starts}"`,
      // Whoever is killed here has done it or not, and never does it twice.
      does('stale', `mv -f ${marker('stale')} .agent-response.json`),
      does('gone', `rm -f ${marker('gone')} .agent-response.json`),
      `echo "started $PLAY $$ $(date +%s%3N) $STARTED_BY" >>"${this.starts}"`,
      `exec python3 "${this.folder}/orchestrator.py" "$@"`,
    ];
  }

  private agentLines(token: string, work: string): string[] {
    const says = (what: string): string => `echo "${what} $ID $BATON_HANDOFF $$ $(date +%s%3N)" >>"${this.calls}"`;
    return [
      `NAP=300.${token}`,
      'REQUEST=$(cat)',
      `ID=$(printf '%s' "$REQUEST" | sed -n 's/.*"request_id":"\\([0-9a-f-]*\\)".*/\\1/p')`,
      `PHASE=$(printf '%s' "$REQUEST" | sed -n 's/.*"phase":\\([0-9]*\\),.*/\\1/p')`,
      `exec 9>"${this.folder}/locks/$BATON_RUN"`,
      `flock -n 9 || echo "overlap agent $ID $BATON_HANDOFF" >>"${this.calls}"`,
      says('began'),
      work,
      says('ended'),
      `if [ "$PHASE" = 1 ]; then cat <<END\n${answerTo('$ID', 1)}END\nelse cat <<END\n${answerTo('$ID', 6)}END\nfi`,
    ];
  }

  private write(name: string, lines: readonly string[]): void {
    writeFileSync(this.command(name), `${['#!/bin/sh', ...lines].join('\n')}\n`);
    chmodSync(this.command(name), 0o755);
  }
}

/** A whole answer to something that was asked elsewhere; it says something to every phase. */
const STALE = `${JSON.stringify({
  ...{ request_id: '550e8400-e29b-41d4-a716-446655440000', version: '1.0', status: 'success' },
  response: '{"primary_language":"STALE","overall_confidence":0.99}',
  ...{ created_at: '2025-11-18T10:31:45Z' },
})}\n`;

function withBug(text: string, bug?: ModuleBug): string {
  if (!bug) return text;
  if (text.split(bug.from).length !== 2) throw new Error(`it cannot be planted: ${MODULE} has no "${bug.from}"`);
  return text.replace(bug.from, () => bug.to);
}

function linesOf(file: string): string[] {
  return readFileSync(file, 'utf8').split('\n').filter(Boolean);
}
