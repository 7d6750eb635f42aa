import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { napsUntil, WORK } from '../jobs/job-agents.js';
import { LOOKS, SCRIPTS, THIS_ENVELOPE, WRITES } from './envelope-scripts.js';

export type Said = { what: 'began' | 'overlap'; handoff: string };
/** That a step which changes something was run. */
export type Deed = { envelope: string; plan: string };

/**
 * Agents and tools that are shell scripts. Agents say what the script of their envelope has for them, write down that
 * they began, and hold a lock of their envelope while they or anything they started lives.
 */
export class EnvelopeAgents {
  /** Has the token in its name, so that everything they start is found by it. */
  private readonly folder: string;
  private readonly calls: string;
  private readonly deedsDone: string;
  private readonly peace: string;

  constructor(folder: string, token: string) {
    this.folder = path.join(folder, `agents-${token}`);
    this.calls = path.join(folder, 'calls');
    this.deedsDone = path.join(folder, 'deeds');
    this.peace = path.join(folder, 'peace');
    mkdirSync(path.join(this.folder, 'locks'), { recursive: true });
    for (const file of [this.calls, this.deedsDone]) writeFileSync(file, '');
    this.writeAnswers();
    for (const [name, work] of Object.entries(WORK)) this.write(name, this.agentLines(token, work));
    const leaves = `setsid sh -c "sleep 300.${token}" >/dev/null 2>&1 &`;
    this.write(LOOKS, ['cat >/dev/null', leaves, 'sleep 0.4', `echo '{"seen":true}'`]);
    // In the middle of it, nobody knows whether it was done.
    const line = `LINE=$(cat); sleep 0.1; echo "$LINE" >>"${this.deedsDone}"; sleep 0.4`;
    this.write(WRITES, [line, `echo '{"written":true}'`]);
  }

  command(name: string): string {
    return path.join(this.folder, `${name}.sh`);
  }

  /** From now on nobody is killed. */
  makePeace(): void {
    writeFileSync(this.peace, '');
  }

  /** Everything agents wrote down, in its order. */
  said(): Said[] {
    return linesOf(this.calls).map((line) => {
      const [what, handoff = ''] = line.split(' ');
      return { what: what as Said['what'], handoff };
    });
  }

  hasBegun(handoff: string): boolean {
    return readFileSync(this.calls, 'utf8').includes(`began ${handoff}\n`);
  }

  deeds(): Deed[] {
    return linesOf(this.deedsDone).map((line) => JSON.parse(line) as Deed);
  }

  private writeAnswers(): void {
    for (const [script, { answers, repairs }] of Object.entries(SCRIPTS)) {
      const folder = path.join(this.folder, 'answers', script);
      mkdirSync(folder, { recursive: true });
      const write = (name: string, answer: object): void =>
        writeFileSync(path.join(folder, name), `${JSON.stringify(answer)}\n`);
      for (const [stage, all] of Object.entries(answers)) {
        for (const [pass, answer] of all.entries()) write(`${stage}-${pass}`, answer);
      }
      for (const [stage, answer] of Object.entries(repairs)) write(`${stage}-repaired`, answer);
    }
  }

  /** Which pass of its stage it is, the history of the envelope says: whoever forgets that is told the wrong thing. */
  private agentLines(token: string, work: string): string[] {
    return [
      `NAP=300.${token}`,
      'REQUEST=$(cat)',
      `exec 9>"${this.folder}/locks/$BATON_RUN"`,
      `flock -n 9 || echo "overlap $BATON_HANDOFF" >>"${this.calls}"`,
      `echo "began $BATON_HANDOFF" >>"${this.calls}"`,
      `STAGE=$(printf '%s' "$REQUEST" | sed -n 's/^{"stage":"\\([a-z]*\\)".*/\\1/p')`,
      `SCRIPT=$(printf '%s' "$REQUEST" | sed -n 's/.*"script":"\\([a-z]*\\)".*/\\1/p')`,
      `PASS=$(printf '%s' "$REQUEST" | grep -o "\\"agent\\":\\"$STAGE\\",\\"stage_order\\"" | wc -l)`,
      `ANSWERS="${this.folder}/answers/$SCRIPT/$STAGE"`,
      'while [ "$PASS" -gt 0 ] && [ ! -f "$ANSWERS-$PASS" ]; do PASS=$((PASS - 1)); done',
      `case "$REQUEST" in *'"repair":{"problem"'*) PASS=repaired ;; esac`,
      work,
      `sed "s/${THIS_ENVELOPE}/$BATON_RUN/" "$ANSWERS-$PASS"`,
    ];
  }

  private write(name: string, lines: readonly string[]): void {
    writeFileSync(this.command(name), `${['#!/bin/sh', napsUntil(this.peace), ...lines].join('\n')}\n`);
    chmodSync(this.command(name), 0o755);
  }
}

function linesOf(file: string): string[] {
  return readFileSync(file, 'utf8').split('\n').filter(Boolean);
}
