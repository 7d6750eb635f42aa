import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runAsync } from './run-async.js';

export const ROOT = path.join(import.meta.dirname, '../../..');
export const KIT = path.join(ROOT, 'examples/envelopes');
const PAIRS = path.join(KIT, 'pairs');

type Step = { gives: string; exit: number } & ({ send: string } | { change: string });
export type KitCase = {
  name: string;
  about: string;
  agent: string;
  pipeline?: string;
  mode?: 'step';
  steps: [Step, ...Step[]];
};
export type Given = { step: Step; sent: object; got: object; code: number | null };

export const CASES: readonly KitCase[] = JSON.parse(readFileSync(path.join(KIT, 'cases.json'), 'utf8')).cases;
export const pair = (name: string): string => path.join(PAIRS, name);
export const pairText = (name: string): string => readFileSync(pair(name), 'utf8');

/** A home of its own, and the workspace where no repository is around it. */
export class KitHome {
  readonly folder = mkdtempSync(path.join(tmpdir(), 'baton-kit-'));
  readonly workspace = path.join(this.folder, 'workspace');
  readonly env = { BATON_HOME: path.join(this.folder, 'home') };

  constructor() {
    cpSync(path.join(KIT, 'workspace'), this.workspace, { recursive: true });
    mkdirSync(this.env.BATON_HOME);
  }

  /** Each step through the command line, as README.md says it. */
  async run({ agent, pipeline, mode, steps }: KitCase): Promise<Given[]> {
    const options = ['--agent', `scripted:${agent}`, '--repo', this.workspace];
    if (pipeline !== undefined) options.push('--pipeline', pipeline);
    const given: Given[] = [];
    for (const step of steps) {
      const read = (name: string): object => JSON.parse(pairText(name));
      const sent = 'send' in step ? read(step.send) : { ...given.at(-1)?.got, ...read(step.change) };
      const args = [path.join(ROOT, 'bin/baton.cjs'), 'envelope', mode ?? 'process', ...options];
      const how = { cwd: KIT, env: { ...process.env, ...this.env }, input: JSON.stringify(sent) };
      const { code, out } = await runAsync(process.execPath, args, how);
      given.push({ step, sent, got: JSON.parse(out), code });
    }
    return given;
  }

  /** For programs of other languages. */
  keep(name: string, value: object): string {
    const file = path.join(this.folder, name);
    writeFileSync(file, JSON.stringify(value));
    return file;
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
