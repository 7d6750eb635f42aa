import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import type { Role } from '../../src/core/access/role.js';
import type { Baton } from '../../src/engine/opened-baton.js';
import { type Listening, listen } from '../../src/server/listen.js';
import { localToken } from '../../src/settings/server-file.js';
import { sessionFile } from '../../src/settings/session-file.js';
import { openBaton } from '../../src/wiring.js';
import { JobStage } from '../jobs/job-stage.js';

export type Asking = {
  body?: unknown;
  token?: string | null;
  key?: string;
  headers?: Record<string, string>;
  signal?: AbortSignal;
};
export type Told = { status: number; headers: Headers; text: string; json: Record<string, never> & Telling };
type Telling = { [name: string]: unknown; code?: string; status?: string; items?: Telling[] };

/** A home with a repository, and a real server on it that listens on this machine. */
export class ServerStage extends JobStage {
  baton!: Baton;
  server!: Listening;
  /** Of the home: it may do everything. */
  token = '';
  readonly problems: unknown[] = [];
  /** What the server has logged. */
  readonly logged: string[] = [];

  static async start(settings: object = {}): Promise<ServerStage> {
    return ServerStage.serve(new ServerStage(), settings);
  }

  static async serve<Stage extends ServerStage>(stage: Stage, settings: object): Promise<Stage> {
    stage.configure({ sandbox: { mode: 'none' }, ...settings });
    stage.token = await localToken(stage.home);
    await stage.open();
    onTestFinished(() => stage.close());
    return stage;
  }

  async open(): Promise<void> {
    const env = { PATH: this.path, USER: 'anna', ...this.extra };
    const how = { writer: 'main', drives: true, claimsAny: true } as const;
    this.baton = await openBaton({ home: this.home, env, cwd: this.repo, ...how });
    this.server = await listen(this.baton, {
      ...{ host: '127.0.0.1', port: 0, version: '0.0.0-test', localToken: this.token },
      sessionKeeper: sessionFile(this.home),
      env,
      logLevel: 'debug',
      writeLog: (line) => this.keepLine(line),
    });
  }

  private keepLine(line: string): void {
    this.logged.push(line);
    const { msg, err } = JSON.parse(line);
    if (msg === 'problem') this.problems.push(err);
  }

  async close(): Promise<void> {
    await this.server.close();
    await this.baton.close();
  }

  async ask(method: string, where: string, { body, token, key, headers, signal }: Asking = {}): Promise<Told> {
    const response = await fetch(`${this.server.url}${where}`, {
      method,
      headers: {
        ...(token !== null && { authorization: `Bearer ${token ?? this.token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(key !== undefined && { 'idempotency-key': key }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
    return { status: response.status, headers: response.headers, text, json: isJson ? JSON.parse(text) : {} };
  }

  get(where: string, asking: Asking = {}): Promise<Told> {
    return this.ask('GET', `/api/v1${where}`, asking);
  }

  post(where: string, body: unknown = {}, asking: Asking = {}): Promise<Told> {
    return this.ask('POST', `/api/v1${where}`, { body, ...asking });
  }

  /** A token of a role; `agent` when it acts for one. */
  async tokenOf(role: Role, name: string = role, agent?: string): Promise<string> {
    const { json, status } = await this.post('/tokens', { name, role, ...(agent !== undefined && { agent }) });
    if (status !== 201) throw new Error(JSON.stringify(json));
    return String(json.token);
  }

  /** An agent that answers from a list, made over the API. */
  override async scripted(id: string, answers: readonly object[]): Promise<void> {
    const file = path.join(this.folder, `${id}.json`);
    writeFileSync(file, JSON.stringify({ answers }));
    const { status, text } = await this.post('/agents', { id, adapter: 'scripted', file });
    if (status !== 201) throw new Error(text);
  }

  /** When it is in one of these statuses, its object. */
  async untilStatus(job: string, ...statuses: readonly string[]): Promise<Telling> {
    for (;;) {
      const { json } = await this.get(`/jobs/${job}`);
      if (statuses.length === 0 || statuses.includes(String(json.status))) return json;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}
