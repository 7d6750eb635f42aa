import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import type { SessionBoard } from '../../src/client/index.js';
import { type ModelScenario, startModelServer } from '../../src/testing/index.js';
import { ConsoleStage } from './console-stage.js';

const KEY = 'sk-c4nary-0f-the-sessions-1234567890';

/** A server, a model that says what its scenario says, and sessions with it. */
export class SessionStage extends ConsoleStage {
  async startWith(scenario: ModelScenario): Promise<void> {
    const model = await startModelServer(scenario);
    onTestFinished(() => model.close());
    this.jobs.extra = { OPENAI_API_KEY: KEY };
    await this.start(async (jobs) => {
      const words = ['--adapter', 'model', '--model', 'gpt-5-codex', '--base-url', `${model.url}/v1`];
      await jobs.ok('agent', 'register', 'coder', ...words);
    });
  }

  folder(name: string, files: Readonly<Record<string, string>> = {}): string {
    const folder = path.join(this.jobs.folder, name);
    mkdirSync(folder, { recursive: true });
    for (const [file, text] of Object.entries(files)) {
      mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
      writeFileSync(path.join(folder, file), text);
    }
    return folder;
  }

  async open(cwd: string, more: object = {}): Promise<string> {
    const { run_id } = await this.client.sessions.open({ cwd, provider: 'coder', ...more });
    return run_id;
  }

  async say(run: string, text: string): Promise<void> {
    const id = crypto.randomUUID();
    await this.client.sessions.submit(run, { id, op: { type: 'user_input', items: [{ type: 'text', text }] } });
  }

  /** When it has come so far. */
  async board(run: string, isSo: (board: SessionBoard) => boolean): Promise<SessionBoard> {
    let last: SessionBoard | undefined;
    for (let looks = 0; looks < 400; looks += 1) {
      last = await this.client.sessions.get(run);
      if (isSo(last)) return last;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error(`not so far: ${JSON.stringify(last).slice(0, 2_000)}`);
  }
}
