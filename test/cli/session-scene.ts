import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import type { WireEvent } from '../../src/engine/session/session-desk.js';
import type { ModelScenario } from '../../src/testing/model-scenario.js';
import { startModelServer } from '../../src/testing/start-model-server.js';
import { type Ran, ROOT } from './run-bin.js';

export const BIN = path.join(ROOT, 'bin/baton.cjs');

const PATCH = '*** Begin Patch\n*** Add File: hello.txt\n+hello\n+again\n*** End Patch\n';

/** What the model says in these tests, by a word of what it is told. */
const SCENARIO: ModelScenario = {
  turns: [
    { when: { prompt: 'greet' }, steps: [{ text: 'Hello, this is\nmy answer.', delta_chars: 6 }] },
    {
      when: { prompt: 'look' },
      steps: [
        { text: 'I look.', tool_calls: [{ name: 'exec_command', arguments: { command: ['echo', 'seen'] } }] },
        { text: 'I have seen it.' },
      ],
    },
    {
      when: { prompt: 'outside' },
      steps: [
        {
          tool_calls: [
            {
              name: 'exec_command',
              arguments: { command: ['touch', 'made'], with_escalated_permissions: true, justification: 'try it' },
            },
          ],
        },
        { text: 'That was it.' },
      ],
    },
    {
      when: { prompt: 'wait' },
      steps: [
        { tool_calls: [{ name: 'exec_command', arguments: { command: ['sh', '-c', 'echo ran >> ran; sleep 60'] } }] },
        { text: 'It was waited for.' },
      ],
    },
    {
      when: { prompt: 'print' },
      steps: [
        { tool_calls: [{ name: 'exec_command', arguments: { command: ['sh', '-c', 'echo so far; sleep 60'] } }] },
        { text: 'It was printed.' },
      ],
    },
    {
      when: { prompt: 'write' },
      steps: [
        {
          tool_calls: [
            { name: 'update_plan', arguments: { plan: [{ step: 'Write a greeting', status: 'in_progress' }] } },
            { name: 'apply_patch', arguments: { input: PATCH } },
          ],
        },
        { text: 'It is written.' },
      ],
    },
    {
      when: { prompt: 'hang' },
      steps: [{ text: 'It begins and never ends', delta_chars: 10, fault: { kind: 'hang', after_deltas: 1 } }],
    },
    { when: { prompt: 'escape' }, steps: [{ text: 'red \u001b[31m clip \u001b]52;c;Zm9v\u0007 back \rover' }] },
    { when: { prompt: 'refuse' }, steps: [{ fault: { kind: 'status', status: 400 } }] },
  ],
};

export type Scene = { folder: string; env: Record<string, string> };

/** A home and a folder of their own, and a model that says what the scenarios say, the given one before the usual one. */
export async function sessionScene(first: ModelScenario = { turns: [] }): Promise<Scene> {
  const model = await startModelServer({ ...first, turns: [...first.turns, ...SCENARIO.turns] });
  onTestFinished(() => model.close());
  const place = mkdtempSync(path.join(tmpdir(), 'baton-session-'));
  const folder = path.join(place, 'parcel');
  mkdirSync(folder);
  const { BATON_URL: _, ...env } = process.env as Record<string, string>;
  return {
    folder,
    env: {
      ...env,
      ...{ BATON_HOME: path.join(place, 'home'), USER: 'kim', LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8' },
      ...{ OPENAI_BASE_URL: `${model.url}/v1`, OPENAI_API_KEY: 'anything' },
    },
  };
}

type Started = {
  ran: Promise<Ran>;
  write(text: string): void;
  end(): void;
  kill(signal: NodeJS.Signals): void;
  /** Resolves with all output so far once it has this in it. */
  said(text: string): Promise<string>;
};

const PATIENCE_MS = 30_000;

/** Starts the built program, beside a model that this process plays. */
export function startBaton({ folder, env }: Scene, args: readonly string[]): Started {
  const child = spawn(process.execPath, [BIN, ...args], {
    cwd: folder,
    env,
    timeout: PATIENCE_MS,
    killSignal: 'SIGKILL',
  });
  let [out, err] = ['', ''];
  const watchers = new Set<() => void>();
  const add = (to: 'out' | 'err') => (chunk: Buffer) => {
    if (to === 'out') out += chunk;
    else err += chunk;
    for (const look of watchers) look();
  };
  child.stdout.on('data', add('out'));
  child.stderr.on('data', add('err'));
  const ran = new Promise<Ran>((resolve) => child.on('close', (code) => resolve({ code, out, err })));
  return {
    ran,
    write: (text) => child.stdin.write(text),
    end: () => child.stdin.end(),
    kill: (signal) => child.kill(signal),
    said: (text) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          if (out.includes(text) || err.includes(text)) resolve(out + err);
        };
        watchers.add(look);
        look();
        void ran.then(() => reject(new Error(`it ended without ${text}: ${out}${err}`)));
      }),
  };
}

export function runBaton(scene: Scene, args: readonly string[], input = ''): Promise<Ran> {
  const started = startBaton(scene, args);
  started.write(input);
  started.end();
  return started.ran;
}

export function eventsIn(out: string): WireEvent[] {
  return out
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as WireEvent);
}
