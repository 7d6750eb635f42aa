import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { SessionClient } from '../../../src/engine/session/session-client.js';
import { localToken } from '../../../src/settings/server-file.js';
import { type ModelServer, startModelServer, type Turn } from '../../../src/testing/index.js';
import { connect } from '../../../src/transports/connect.js';
import { configure, layGrounds, ProgramStage, type StageOptions } from '../jobs/program-stage.js';
import type { ProgramProcess } from '../stage/program-process.js';
import { within } from '../stage/waiting.js';

export const FILES = ['first.txt', 'second.txt'] as const;
export const RUN_BOTH = 'Run both, please';
export const GO_ON = 'Are you still there?';
const WAYS = ['tcp', 'unix', 'ws', 'h2', 'grpc'] as const;
export type Way = (typeof WAYS)[number];

/** Whoever drives sessions has it in its environment. */
export const MODEL_KEY = { OPENAI_API_KEY: 'sk-scripted' };
const READY_MS_MAX = 30_000;
/** Slow enough to be hit. */
const SLOWLY = { delta_chars: 10, delta_delay_ms: 20 };

/** `baton session --listen`, started again and again, each time on the next transport, and a model that asks for two commands. */
export class SessionStage extends ProgramStage {
  readonly ways: Way[] = [];
  /** By name, of the programs that were started. */
  private readonly addresses = new Map<string, string>();
  private model: ModelServer | undefined;
  private count = 0;

  static async set(options: StageOptions): Promise<SessionStage> {
    const stage = new SessionStage(await layGrounds(options));
    stage.model = await startModelServer({ turns: turnsFor(stage.token) });
    configure(stage.home, { providers: { openai: { base_url: `${stage.model.url}/v1` } } });
    return stage;
  }

  newFolder(name: string): string {
    const folder = path.join(this.folder, `${name}-${this.token}`);
    mkdirSync(folder);
    return folder;
  }

  async startProgram(): Promise<ProgramProcess> {
    const way = WAYS[this.count % WAYS.length] as Way;
    this.count += 1;
    this.ways.push(way);
    const name = `session-${this.count}`;
    const at = way === 'unix' ? `unix:${path.join(this.folder, `s${this.count}`)}` : `${way}://127.0.0.1:0`;
    const started = this.start(name, ['session', '--listen', at], undefined, (line) => {
      this.addresses.set(name, (JSON.parse(line) as { listening: string }).listening);
    });
    if (!(await within(READY_MS_MAX, () => this.addresses.has(name) || started.exit !== undefined)))
      this.problems.push(`${name} did not start: ${started.last.join(' / ')}`);
    return started;
  }

  async connectTo({ name }: ProgramProcess): Promise<SessionClient> {
    const address = this.addresses.get(name) ?? '';
    return connect(address, address.startsWith('unix:') ? undefined : await localToken(this.home));
  }

  override async clear(): Promise<void> {
    await super.clear();
    await this.model?.close();
  }

  protected override environment(): Record<string, string> {
    return MODEL_KEY;
  }
}

/** The token is in their command lines, so that whatever is left of them is found. */
function turnsFor(token: string): readonly Turn[] {
  const calls = FILES.map((file) => ({
    ...{ name: 'exec_command', arguments: { command: `echo ran >>${file}; sleep 0.4; : ${token}` } },
  }));
  return [
    {
      when: { prompt: RUN_BOTH },
      steps: [
        { ...SLOWLY, text: 'Both of them.', tool_calls: calls },
        { ...SLOWLY, text: 'Both were asked for.' },
      ],
    },
    { steps: [{ ...SLOWLY, text: 'Still here.' }] },
  ];
}
