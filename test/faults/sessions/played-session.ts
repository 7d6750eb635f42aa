import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Seeded } from '../../simulation/seeded.js';
import type { ProgramProcess } from '../stage/program-process.js';
import { pause, within } from '../stage/waiting.js';
import { FILES, GO_ON, RUN_BOTH, type SessionStage } from './session-stage.js';
import { AttachedClient, SessionStory } from './session-story.js';

/**
 * When the program dies: before anything was asked, as soon as a question is heard, while it waits, when an answer is on
 * its way, right after it was acknowledged, while the command runs, and once its end is told.
 */
export const MOMENTS = ['asked', 'heard', 'open', 'sent', 'answered', 'running', 'after'] as const;
export type Moment = (typeof MOMENTS)[number];

export type Scene = {
  stage: SessionStage;
  chance: Seeded;
  program: ProgramProcess;
  tally: Record<Moment, number> & { yes: number; no: number; byInbox: number; refused: number; again: number };
  lost: string[];
  twice: string[];
  problems: string[];
};

const STEP_MS_MAX = 60_000;
const AFTER_MS_MAX: Readonly<Record<Moment, number>> = {
  ...{ asked: 600, heard: 3, open: 300, sent: 40, answered: 30, running: 350, after: 250 },
};
const DENIES = 0.25;
const BY_INBOX = 0.2;
/** Whoever died then had no time to hand the session back. */
const BY_INBOX_AT_ONCE = 0.7;
const FROM_EARLIER = 0.3;
const CLIENT = 'harness';

type Decision = 'approved' | 'denied';

/** One session from its first input to its second, while the program that drives it is killed. */
export class PlayedSession {
  readonly name: string;
  readonly cwd: string;
  readonly story = new SessionStory();
  readonly denies: boolean;
  /** What was acknowledged: by an event, by REPEATED, or by the exit code of `baton answer`. */
  readonly acknowledged: { call: string; decision: Decision }[] = [];
  id = '';
  private readonly scene: Scene;
  private client: AttachedClient | undefined;
  private answers = 0;

  constructor(scene: Scene, name: string) {
    this.scene = scene;
    this.name = name;
    this.cwd = scene.stage.newFolder(name);
    this.denies = scene.chance.chance(DENIES);
  }

  /** Returns how many kills it lived to see. */
  async live(moments: readonly Moment[]): Promise<number> {
    await this.open();
    await this.deliver('go', input(RUN_BOTH), () => this.hasStarted('go'));
    let killed = 0;
    while (killed < moments.length && (await this.strike(moments[killed] as Moment))) killed += 1;
    for (let call = await this.untilAsked(); call !== undefined; call = await this.untilAsked()) {
      await this.decide(call);
      await this.tryOnceMore(call);
    }
    await this.deliver('more', input(GO_ON), () => this.hasStarted('more'));
    await this.until('the second task ends', () => this.story.endsOf('more').length > 0);
    await this.readAgain();
    return killed;
  }

  lines(file: string): number {
    const at = path.join(this.cwd, file);
    return existsSync(at) ? readFileSync(at, 'utf8').split('\n').length - 1 : 0;
  }

  close(): void {
    this.client?.close();
  }

  /** False when nothing was left to be hit. */
  private async strike(moment: Moment): Promise<boolean> {
    const { chance, tally } = this.scene;
    if (moment !== 'asked' && !(await this.prepare(moment))) return false;
    if (moment === 'asked' && this.story.endsOf('go').length > 0) return false;
    await pause(chance.below(AFTER_MS_MAX[moment]));
    await this.scene.program.kill();
    tally[moment] += 1;
    const isByInbox = chance.chance(moment === 'heard' ? BY_INBOX_AT_ONCE : BY_INBOX);
    const call = isByInbox ? await this.decideByInbox() : undefined;
    this.scene.program = await this.scene.stage.startProgram();
    await this.attach();
    if (call !== undefined && !this.denies) await this.hasRun(call);
    return true;
  }

  /** Nobody had begun what was allowed while nobody drove the session. */
  private async hasRun(call: string): Promise<void> {
    await this.until(`${call} ends`, () => this.hasEnded(call));
    const end = this.story.of('exec_command_end').find(({ call_id }) => call_id === call);
    if (end?.unknown) this.scene.lost.push(`${this.name}: ${call} was allowed, never begun and taken for cut off`);
  }

  /** Brings it to where it is to be hit. */
  private async prepare(moment: Moment): Promise<boolean> {
    const call = await this.untilAsked();
    if (call === undefined) return false;
    if (moment === 'heard' || moment === 'open') return true;
    if (moment === 'sent') {
      await this.client?.submit(this.answerTo(call, this.decision));
      return true;
    }
    const before = this.ran;
    await this.decide(call);
    if (this.denies) return true;
    if (moment === 'running') await this.until(`${call} runs`, () => this.ran > before || this.hasEnded(call));
    if (moment === 'after') await this.until(`${call} ends`, () => this.hasEnded(call));
    return true;
  }

  private get decision(): Decision {
    return this.denies ? 'denied' : 'approved';
  }

  private get ran(): number {
    return FILES.reduce((sum, file) => sum + this.lines(file), 0);
  }

  /** One answer has one name however often it is sent. */
  private answerTo(call: string, decision: Decision) {
    return { id: `answer-${call}`, op: { type: 'exec_approval', id: call, decision } };
  }

  private async decide(call: string): Promise<void> {
    const { problems, lost, tally } = this.scene;
    const { id, op } = this.answerTo(call, this.decision);
    await this.deliver(id, op, () => this.isResolved(call) || this.client?.replyTo(id) !== undefined);
    const reply = this.client?.replyTo(id);
    // Answered by the inbox, which this client had not heard of yet.
    const isKnown = this.acknowledged.some((one) => one.call === call);
    if (reply?.type === 'error' && isKnown) return this.until(`${call} is told`, () => this.isResolved(call));
    if (reply?.type === 'error') lost.push(`${this.name}: the question ${call} was forgotten: ${reply.message}`);
    else if (reply && reply.code !== 'REPEATED') problems.push(`${this.name}: ${call}: ${JSON.stringify(reply)}`);
    else this.acknowledged.push({ call, decision: this.decision });
    if (reply?.type === 'error') await this.deliver('stop', { type: 'interrupt' }, () => this.isStopped());
    tally[this.denies ? 'no' : 'yes'] += 1;
  }

  /** A person at a terminal, while nobody drives the session. Returns which question was answered. */
  private async decideByInbox(): Promise<string | undefined> {
    const { stage, tally } = this.scene;
    const rows = await stage.store.inbox({ open: true, after: 0, limit: 100 });
    const row = rows.find(({ run }) => run === this.id);
    if (!row) return undefined;
    const isDone = await stage.run('answer', String(row.item), this.denies ? '--deny' : '--approve');
    if (!isDone) return undefined;
    this.acknowledged.push({ call: row.key, decision: this.decision });
    tally[this.denies ? 'no' : 'yes'] += 1;
    tally.byInbox += 1;
    return row.key;
  }

  /** The same answer under another name, while another question keeps the turn open: it must not count. */
  private async tryOnceMore(call: string): Promise<void> {
    if (this.denies || this.openCalls().length === 0) return;
    await this.until(`${call} ends`, () => this.hasEnded(call));
    this.answers += 1;
    const id = `once-more-${this.answers}`;
    const op = { type: 'exec_approval', id: call, decision: 'approved' };
    const resolved = this.resolutionsOf(call);
    const isTold = () => this.client?.replyTo(id) !== undefined || this.resolutionsOf(call) > resolved;
    await this.deliver(id, op, isTold);
    const reply = this.client?.replyTo(id);
    if (reply?.type === 'error') this.scene.tally.refused += 1;
    else this.scene.twice.push(`${this.name}: the answer to ${call} was used twice`);
  }

  /** The question that waits; undefined when the task has ended. */
  private async untilAsked(): Promise<string | undefined> {
    const isOver = () => this.story.endsOf('go').length > 0;
    await this.until('it asks or ends', () => isOver() || this.openCalls().length > 0);
    return isOver() ? undefined : this.openCalls()[0];
  }

  private openCalls(): string[] {
    const asked = this.story.of('exec_approval_request').map(({ call_id }) => call_id);
    return asked.filter((call) => !this.isResolved(call));
  }

  private isResolved(call: string): boolean {
    return this.resolutionsOf(call) > 0;
  }

  private resolutionsOf(call: string): number {
    return this.story.of('approval_resolved').filter(({ call_id }) => call_id === call).length;
  }

  private hasEnded(call: string): boolean {
    return this.story.of('exec_command_end').some(({ call_id }) => call_id === call);
  }

  private hasStarted(task: string): boolean {
    return this.story.events.some(({ id, msg }) => id === task && msg.type === 'task_started');
  }

  private isStopped(): boolean {
    return this.story.endsOf('go').length > 0 || this.client?.replyTo('stop') !== undefined;
  }

  private async until(what: string, holds: () => boolean): Promise<void> {
    const isThere = () => holds() || this.client?.isOver === true;
    if ((await within(STEP_MS_MAX, isThere)) && holds()) return;
    const last = this.story.events.at(-1);
    const why = this.client?.isOver ? 'the connection ended' : 'nothing came';
    throw new Error(`${this.name}: waited until ${what}; ${why} behind ${JSON.stringify(last)?.slice(0, 300)}`);
  }

  private async deliver(id: string, op: object, isTold: () => boolean): Promise<void> {
    await this.client?.submit({ id, op });
    await this.until(`${id} is answered`, isTold);
  }

  private async open(): Promise<void> {
    const client = await this.scene.stage.connectTo(this.scene.program);
    this.client = new AttachedClient(client, this.story, 0);
    const free = { approval_policy: 'untrusted', sandbox_policy: { mode: 'danger-full-access' } };
    const op = { type: 'configure_session', cwd: this.cwd, client: CLIENT, ...free };
    await this.deliver('set-up', op, () => this.story.of('session_configured').length > 0);
    this.id = this.story.of('session_configured')[0]?.session_id ?? '';
  }

  /** Behind what it knows, or behind something earlier: then it sees that again as it was. */
  private async attach(after = this.cursor()): Promise<void> {
    this.client?.close();
    const client = await this.scene.stage.connectTo(this.scene.program);
    this.client = new AttachedClient(client, this.story, after);
    const op = { type: 'attach', session_id: this.id, after, client: CLIENT };
    await this.deliver('attach', op, () => this.client?.replyTo('attach') !== undefined);
  }

  private cursor(): number {
    const { cursor } = this.story;
    const { chance } = this.scene;
    return chance.chance(FROM_EARLIER) ? chance.below(cursor + 1) : cursor;
  }

  /** From the beginning: what was told in pieces is all there is. */
  private async readAgain(): Promise<void> {
    const before = this.story.events.map(({ seq }) => seq);
    await this.attach(0);
    const last = before.at(-1) ?? 0;
    await this.until('everything is told again', () => (this.client?.heard.at(-1) ?? 0) >= last);
    const heard = this.client?.heard ?? [];
    const isSame = heard.length === before.length && heard.every((seq, index) => seq === before[index]);
    if (!isSame) this.scene.lost.push(`${this.name}: told in pieces ${before}, told at once ${heard}`);
  }
}

function input(text: string): object {
  return { type: 'user_input', items: [{ type: 'text', text }] };
}
