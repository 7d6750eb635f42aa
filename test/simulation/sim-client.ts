import type { InboxRow, RunRow } from '../../src/engine/ports.js';
import { sealBody } from '../../src/engine/seal.js';
import { errandCustoms } from './errand-customs.js';
import type { Fleet, Member } from './fleet.js';
import { jobCustoms } from './job-customs.js';
import { type Kind, kindOf } from './kinds.js';
import type { Seeded } from './seeded.js';
import { SessionCalm, sessionCustoms } from './session-customs.js';
import type { Customs, Wish } from './wish.js';
import type { World } from './world.js';

type Sent = { run: string; key: string; atMs: number; wish: Wish; kind?: Kind };

const CUSTOMS: Readonly<Record<Kind, Customs>> = { errand: errandCustoms, job: jobCustoms, session: sessionCustoms };

/**
 * Somebody who gives commands and writes down which were acknowledged. No answer means unknown: the same command is
 * sent again with the same key, to whichever process is there.
 */
export class SimClient {
  /** What was answered to the keys of commands that were accepted. */
  readonly acknowledged = new Map<string, { run: string; answer: string | undefined }>();
  readonly problems: string[] = [];
  readonly calm = new SessionCalm();
  private readonly unanswered = new Map<string, string>();
  private count = 0;
  private readonly world: World;
  private readonly chance: Seeded;
  private readonly fleet: Fleet;

  constructor(world: World, chance: Seeded, fleet: Fleet) {
    this.world = world;
    this.chance = chance;
    this.fleet = fleet;
  }

  get waiting(): readonly string[] {
    return [...this.unanswered.keys()];
  }

  submit(run: string, others: readonly string[]): void {
    const kind = kindOf(run);
    this.send({
      run,
      key: `submit-${run}`,
      kind,
      atMs: this.world.nowMs,
      wish: CUSTOMS[kind].submission(run, others, this.chance),
    });
  }

  /** What a human might do to a run, whether or not it is allowed now. */
  meddle(run: string): void {
    this.wishFor(run, CUSTOMS[kindOf(run)].meddling(this.chance));
  }

  /** What is asked of a human is answered, once. */
  answer(row: RunRow, inbox: readonly InboxRow[]): void {
    if (this.isWaitingFor(row.run)) return;
    const open = inbox.findLast(({ run, answeredAt }) => run === row.run && answeredAt === null);
    const wish = this.calm.wishFor(row, this.fleet.room.hangs(row.run)) ?? CUSTOMS[kindOf(row.run)].answer(row, open);
    if (wish) this.wishFor(row.run, wish);
  }

  /** Somebody has read a question and answers it, whether or not it is over meanwhile. */
  decide(question: InboxRow): void {
    const { run } = question;
    const wish = CUSTOMS[kindOf(run)].decide?.(question, this.chance);
    if (wish) this.wishFor(run, wish);
  }

  private wishFor(run: string, wish: Wish): void {
    this.count += 1;
    this.send({ run, key: `${wish.type}-${this.count}`, atMs: this.world.nowMs, wish });
  }

  private isWaitingFor(run: string): boolean {
    return [...this.unanswered.values()].includes(run);
  }

  private send(sent: Sent): void {
    this.unanswered.set(sent.key, sent.run);
    const tryOnce = (): void => {
      const open = this.fleet.members.filter(({ process, ready, stopping }) => ready && !process.paused && !stopping);
      let answered = false;
      if (open.length > 0) {
        const member = this.chance.pick(open);
        void this.deliver(member, sent).then(
          () => {
            if (answered) return;
            answered = true;
            this.unanswered.delete(sent.key);
          },
          () => undefined,
        );
      }
      this.world.after(20_000, () => {
        if (!answered) tryOnce();
      });
    };
    tryOnce();
  }

  private async deliver({ engine, ports }: Member, { run, key, atMs, wish, kind }: Sent): Promise<void> {
    const sealed = (wish.texts ?? []).map((text) => sealBody(ports, text));
    const refs = sealed.map(({ ref }) => ref);
    const command = wish.command(atMs, refs);
    const payload = ports.hasher.sha256(JSON.stringify(command));
    const bodies = sealed.map(({ body }) => body);
    const origin = { actor: 'client', key: { scope: 'client', key, payload }, bodies };
    const outcome = kind ? await engine.create(run, kind, command, origin) : await engine.send(run, command, origin);
    if (outcome.type === 'fenced') return void this.problems.push(`${run}: ${key} of a client was fenced`);
    if (outcome.type === 'refused') {
      if (outcome.refusal.code === 'KEY_REUSED') this.problems.push(`${run}: ${key} is said to be used already`);
      return;
    }
    // Who closes a closed session is told so, and nothing is written.
    if (wish.type === 'Shutdown' && outcome.type === 'accepted' && outcome.events === 0) return;
    const answer = outcome.type === 'repeated' ? outcome.answer : this.acknowledged.get(key)?.answer;
    this.acknowledged.set(key, { run, answer });
  }
}
