import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { BRIDGE_FILES } from '../../../src/contracts/bridge/bridge-file-names.js';
import { removeFolder } from '../../../src/workspace/remove-folder.js';

export const ROOT = path.resolve(import.meta.dirname, '../../..');
const BIN = path.join(ROOT, 'bin/baton.cjs');
const EXAMPLES = path.join(ROOT, 'examples/bridge');
export const THREE_ASKS = ['python3', path.join(EXAMPLES, 'orchestrator.py')] as const;
const LOOK_MS = 25;

export type Ended = { exit: number | null; signal: NodeJS.Signals | null; out: string; err: string };
export type Started = {
  child: ChildProcessWithoutNullStreams;
  said: { out: string; err: string };
  ended: Promise<Ended>;
};
export type Told = { type: string; data: Record<string, unknown> };

/** What orchestrators of these tests begin with: the files alone, no library. */
const PRELUDE = `
import json, os, signal, sys, uuid
REQUEST, RESPONSE, STATE = ".agent-request.json", ".agent-response.json", ".template-create-state.json"
RESUME = "--resume" in sys.argv
ID = "7d3c2b1a-0000-4000-8000-00000000000"
def put(name, value):
    with open(name + ".tmp", "w") as file:
        file.write(value if isinstance(value, str) else json.dumps(value))
    os.replace(name + ".tmp", name)
def read(name):
    return json.load(open(name)) if os.path.isfile(name) else None
def request(request_id=ID + "1", prompt="Say what you see. " * 10, **more):
    return {"request_id": request_id, "version": "1.0", "phase": 1, "phase_name": "analysis",
            "agent_name": "reviewer", "prompt": prompt, "created_at": "2026-01-01T00:00:00Z", **more}
def state(**data):
    return {"version": "1.0", "phase": 1, "phase_name": "analysis", "checkpoint_name": "c",
            "created_at": "2026-01-01T00:00:00Z", "output_path": ".", "phase_data": data}
def ask(**more):
    put(REQUEST, request(**more))
    sys.exit(42)
`;

/** The first request of an orchestrator of these tests. */
export const FIRST_ID = '7d3c2b1a-0000-4000-8000-000000000001';
export const OTHER_ID = '550e8400-e29b-41d4-a716-446655440000';

export function responseTo(request_id: string, more: object = {}): object {
  const created_at = '2026-01-01T00:00:00Z';
  return { request_id, version: '1.0', status: 'success', response: 'stale', created_at, ...more };
}

/** A home, a folder with an orchestrator, and the real program. */
export class BridgeStage {
  readonly folder = mkdtempSync(path.join(os.tmpdir(), 'baton-bridge-'));
  readonly home = path.join(this.folder, 'home');
  readonly dir = path.join(this.folder, 'project');

  constructor() {
    onTestFinished(() => removeFolder(this.folder));
    mkdirSync(this.dir);
    this.newHome('home');
  }

  newHome(name: string): string {
    const home = path.join(this.folder, name);
    mkdirSync(home, { mode: 0o700 });
    // Agents of these tests write down outside of their folder what they were asked.
    writeFileSync(path.join(home, 'config.json'), JSON.stringify({ sandbox: { mode: 'none' } }));
    return home;
  }

  /** How an orchestrator in Python is started; `text` comes behind the prelude. */
  python(text: string, name = 'orchestrator.py'): string[] {
    return ['python3', this.beside(name, `${PRELUDE}${text}`)];
  }

  /** The name of an agent that answers from a list; the last answer stays. */
  scripted(answers: readonly object[], name = 'answers'): string {
    return `scripted:${this.beside(`${name}.json`, JSON.stringify({ answers }))}`;
  }

  says(text: string): string {
    return this.scripted([{ answer: text }], `says-${text.length}`);
  }

  /** `$REQUEST` holds the request; what it prints is the answer. Asks are counted in the file `asked`. */
  async shell(id: string, script: string): Promise<string> {
    const lines = ['#!/bin/sh', 'REQUEST=$(cat)', `echo "$REQUEST" >>"${this.folder}/asked"`, script];
    const file = this.beside(`${id}.sh`, `${lines.join('\n')}\n`, 0o755);
    const { exit, err } = await this.cli('agent', 'register', id, '--adapter', 'command', '--command', file);
    if (exit !== 0) throw new Error(err);
    return id;
  }

  asked(): Record<string, unknown>[] {
    const file = path.join(this.folder, 'asked');
    if (!existsSync(file)) return [];
    return readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  }

  run(agent: string, command: readonly string[], ...words: readonly string[]): Promise<Ended> {
    return this.cli('bridge', 'run', '--agent', agent, ...words, '--', ...command);
  }

  cli(...words: readonly string[]): Promise<Ended> {
    return this.start(words).ended;
  }

  /** With this on its standard input. */
  given(input: string, ...words: readonly string[]): Promise<Ended> {
    const started = this.start(words);
    started.child.stdin.end(input);
    return started.ended;
  }

  start(words: readonly string[], { home = this.home, behind = [] as readonly string[] } = {}): Started {
    return this.spawn([...behind, process.execPath, BIN, ...words], this.dir, { BATON_HOME: home });
  }

  /** An orchestrator as a person starts it. */
  byHand(command: readonly string[], dir = this.dir, env: NodeJS.ProcessEnv = {}): Promise<Ended> {
    const started = this.spawn(command, dir, env);
    started.child.stdin.end();
    return started.ended;
  }

  private spawn([program = '', ...args]: readonly string[], cwd: string, more: NodeJS.ProcessEnv): Started {
    const own = { NO_COLOR: '1', USER: 'anna', PYTHONPATH: EXAMPLES, PYTHONDONTWRITEBYTECODE: '1' };
    const child = spawn(program, args, { cwd, env: { ...process.env, ...own, ...more }, stdio: 'pipe' });
    const said = { out: '', err: '' };
    child.stdout.setEncoding('utf8').on('data', (piece) => {
      said.out += piece;
    });
    child.stderr.setEncoding('utf8').on('data', (piece) => {
      said.err += piece;
    });
    child.stdin.on('error', () => undefined);
    onTestFinished(() => void child.kill('SIGKILL'));
    const ended = new Promise<Ended>((resolve) =>
      child.once('close', (exit, signal) => resolve({ exit, signal, ...said })),
    );
    return { child, said, ended };
  }

  async until(holds: () => boolean | Promise<boolean>): Promise<void> {
    while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }

  /** Which of the three files lie there. */
  files(): string[] {
    return BRIDGE_FILES.filter((name) => lstatSync(this.at(name), { throwIfNoEntry: false }));
  }

  at(name: string): string {
    return path.join(this.dir, name);
  }

  has(name: string): boolean {
    return existsSync(this.at(name));
  }

  text(name: string): string {
    return readFileSync(this.at(name), 'utf8');
  }

  put(name: string, value: unknown): void {
    writeFileSync(this.at(name), typeof value === 'string' ? value : JSON.stringify(value));
  }

  async status(): Promise<Record<string, unknown>> {
    const { out } = await this.cli('bridge', 'status', '--json');
    return JSON.parse(out) as Record<string, unknown>;
  }

  /** Everything that is recorded of the newest bridge. */
  async events(): Promise<Told[]> {
    const { run_id } = await this.status();
    const { out } = await this.cli('events', '--run', String(run_id), '--json');
    return (JSON.parse(out) as { items: Told[] }).items;
  }

  beside(name: string, text: string, mode = 0o644): string {
    const file = path.join(this.folder, name);
    writeFileSync(file, text, { mode });
    return file;
  }
}
