import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { WireEvent } from '../../../src/engine/session/session-desk.js';
import { GO_ON, RUN_BOTH } from '../sessions/session-stage.js';
import { SessionStory, type Told } from '../sessions/session-story.js';
import { pause } from '../stage/waiting.js';
import type { KeyedClient } from './keyed-client.js';

const STEP_MS_MAX = 120_000;
const LOOK_EVERY_MS = 50;
const ACCEPTED = 202;

type Page = { items: WireEvent[]; next: string | null };

/** One session over the routes of a server that is killed meanwhile, from its first input to its second. */
export class HttpSession {
  readonly name: string;
  readonly cwd: string;
  readonly denies: boolean;
  readonly story = new SessionStory();
  readonly acknowledged: { call: string; decision: 'approved' | 'denied' }[] = [];
  readonly lost: string[] = [];
  id = '';
  private readonly client: KeyedClient;

  constructor(client: KeyedClient, cwd: string, denies: boolean) {
    this.client = client;
    this.cwd = cwd;
    this.name = path.basename(cwd);
    this.denies = denies;
  }

  async live(): Promise<void> {
    const free = { approval_policy: 'untrusted', sandbox_policy: { mode: 'danger-full-access' } };
    const { body } = await this.client.send('/api/v1/sessions', { cwd: this.cwd, ...free }, `open-${this.name}`);
    this.id = (body as { session_id: string }).session_id;
    await this.submit('go', input(RUN_BOTH));
    await this.untilOver('go', () => this.answerAll());
    await this.submit('more', input(GO_ON));
    await this.untilOver('more', async () => {});
    await this.readAgain();
  }

  lines(file: string): number {
    const at = path.join(this.cwd, file);
    return existsSync(at) ? readFileSync(at, 'utf8').split('\n').length - 1 : 0;
  }

  private async answerAll(): Promise<void> {
    const resolved = new Set(this.story.of('approval_resolved').map(({ call_id }) => call_id));
    const decision = this.denies ? 'denied' : 'approved';
    for (const { call_id: call } of this.story.of('exec_approval_request')) {
      if (resolved.has(call) || this.acknowledged.some((one) => one.call === call)) continue;
      if (await this.submit(`answer-${call}`, { type: 'exec_approval', id: call, decision }))
        this.acknowledged.push({ call, decision });
    }
  }

  private async submit(id: string, op: object): Promise<boolean> {
    const { status, body } = await this.client.send(
      `/api/v1/sessions/${this.id}/submissions`,
      { id, op },
      `${this.name}-${id}`,
    );
    if (status !== ACCEPTED) this.lost.push(`${this.name}: ${id} was refused: ${JSON.stringify(body).slice(0, 300)}`);
    return status === ACCEPTED;
  }

  private async untilOver(task: string, act: () => Promise<void>): Promise<void> {
    const untilMs = performance.now() + STEP_MS_MAX;
    while (this.story.endsOf(task).length === 0) {
      for (const event of await this.readFrom(this.story.cursor)) this.story.take(event);
      await act();
      if (performance.now() > untilMs) throw new Error(`${this.name}: ${task} does not come to its end`);
      await pause(LOOK_EVERY_MS);
    }
  }

  private async readFrom(after: number): Promise<Told[]> {
    const { body } = await this.client.read(`/api/v1/sessions/${this.id}/events?after=${after}&limit=1000`);
    return (body as Page).items as Told[];
  }

  /** What was told in pieces is all there is, as it was. */
  private async readAgain(): Promise<void> {
    const before = this.story.events.map(({ seq }) => seq);
    const all = await this.readFrom(0);
    for (const event of all) this.story.take(event);
    const now = all.map(({ seq }) => seq);
    if (JSON.stringify(now) !== JSON.stringify(before))
      this.lost.push(`${this.name}: told in pieces ${before}, told at once ${now}`);
  }
}

function input(text: string): object {
  return { type: 'user_input', items: [{ type: 'text', text }] };
}
