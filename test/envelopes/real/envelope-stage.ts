import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Envelope } from '../../../src/contracts/generated/types/envelope.js';
import type { Pipeline } from '../../../src/contracts/generated/types/pipeline.js';
import { type Asking, ServerStage, type Told } from '../../server/server-stage.js';

const BIN = path.resolve(import.meta.dirname, '../../../bin/baton.cjs');
const HEX = 16;

export type Sent = Record<string, unknown>;
type Ended = { exit: number | null; out: string; err: string };
type Answered = { status: number; given: Given; headers: Headers };
/** The envelope, or the object of an error. */
export type Given = Envelope & { code?: string; reason?: string; error?: boolean };

/** What each stage of the default pipeline answers when all goes well. */
export const ANSWERS = {
  perception: { normalized_input: 'add two numbers' },
  intent: { intent: 'question', goals: ['find it'] },
  plan: { plan_id: 'p-1', steps: [] },
  execution: { status: 'success', results: [] },
  critic: { verdict: 'approved' },
  integration: { final_response: 'It is here.' },
} as const;

/** Six stages that say nothing. */
export const SILENT: Pipeline = {
  name: 'silent',
  stages: ['one', 'two', 'three', 'four', 'five', 'six'].map((name, index, all) => ({
    ...{ name, output_key: name, default_next: all[index + 1] ?? 'end' },
  })) as unknown as Pipeline['stages'],
};

/** The default pipeline with another agent, or tools, for the execution. */
export function sixStages(execution: object): Pipeline {
  const names = Object.keys(ANSWERS);
  const stages = names.map((name, index) => ({
    ...{ name, output_key: name, default_next: names[index + 1] ?? 'end' },
    ...(name === 'execution' && execution),
  }));
  return { name: 'six', stages: stages as unknown as Pipeline['stages'] };
}

export function idOf(prefix: string, number: number): string {
  return `${prefix}_${number.toString(16).padStart(HEX, '0')}`;
}

/** A home with a server on it, and commands that are processes of their own. */
export class EnvelopeStage extends ServerStage {
  private made = 0;

  static override async start(settings: object = {}): Promise<EnvelopeStage> {
    return ServerStage.serve(new EnvelopeStage(), settings);
  }

  /** As `baton envelope create` makes it. */
  fresh(more: Sent = {}): Sent {
    this.made += 1;
    return {
      ...{ envelope_id: idOf('env', this.made), request_id: idOf('req', 1), session_id: idOf('sess', 1) },
      ...{ user_id: 'anna', raw_input: 'Where are numbers added?', outputs: {}, current_stage: 'start' },
      ...{ terminated: false, ...more },
    };
  }

  /** The name of an agent that answers each stage of the default pipeline; `more` comes first. */
  bot(more: readonly object[] = [], name = 'bot'): string {
    const usual = Object.entries(ANSWERS).map(([stage, answer]) => ({ when: { stage }, answer }));
    return `scripted:${this.written(`${name}.json`, { answers: [...more, ...usual, { answer: {} }] })}`;
  }

  pipeline(pipeline: Pipeline): void {
    const folder = path.join(this.home, 'pipelines');
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, `${pipeline.name}.json`), JSON.stringify(pipeline));
  }

  /** A file beside the repository. */
  written(name: string, value: unknown): string {
    const file = path.join(this.folder, name);
    writeFileSync(file, typeof value === 'string' ? value : JSON.stringify(value));
    return file;
  }

  /** `baton envelope …` with this on its standard input. */
  async command(words: readonly string[], input: unknown): Promise<Ended & { printed: Given }> {
    const text = typeof input === 'string' ? input : JSON.stringify(input);
    const ended = await this.program(['envelope', ...words], text);
    const printed = (
      /^\{.*\}\s*$/s.test(ended.out) && !words.includes('--lines') ? JSON.parse(ended.out) : {}
    ) as Given;
    return { ...ended, printed };
  }

  async process(input: unknown, query: Record<string, string>, asking: Asking = {}): Promise<Answered> {
    const { status, json, headers } = await this.post(`/process?${new URLSearchParams(query)}`, input, asking);
    return { status, given: json as unknown as Given, headers };
  }

  /** Bytes that are no JSON of ours. */
  async raw(where: string, body: string, headers: Record<string, string> = {}): Promise<Told> {
    const response = await fetch(`${this.server.url}/api/v1${where}`, {
      ...{ method: 'POST', body },
      headers: { authorization: `Bearer ${this.token}`, 'content-type': 'application/json', ...headers },
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
    return { status: response.status, headers: response.headers, text, json: isJson ? JSON.parse(text) : {} };
  }

  async eventsOf(run: string): Promise<{ type: string; data: Record<string, unknown> }[]> {
    const { json } = await this.get(`/events?run=${run}&limit=1000`);
    return (json.items ?? []) as unknown as { type: string; data: Record<string, unknown> }[];
  }

  protected program(words: readonly string[], input: string): Promise<Ended> {
    const env = { ...process.env, BATON_HOME: this.home, NO_COLOR: '1', USER: 'anna', ...this.extra };
    const child = spawn(process.execPath, [BIN, ...words], { env, cwd: this.repo, stdio: 'pipe' });
    const said = { out: '', err: '' };
    child.stdout.setEncoding('utf8').on('data', (piece) => {
      said.out += piece;
    });
    child.stderr.setEncoding('utf8').on('data', (piece) => {
      said.err += piece;
    });
    child.stdin.on('error', () => undefined).end(input);
    return new Promise((resolve) => child.once('close', (exit) => resolve({ exit, ...said })));
  }
}

/** Without what a clock has said, so that two runs can be compared. */
export function timeless(envelope: object): object {
  return JSON.parse(JSON.stringify(envelope), (name, value) =>
    ['started_at', 'completed_at', 'duration_ms', 'timestamp'].includes(name) ? null : value,
  );
}
