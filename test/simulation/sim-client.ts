import type { ErrandCommand } from '../../src/core/errand/errand-messages.js';
import { sealBody } from '../../src/engine/seal.js';
import type { Fleet, Member } from './fleet.js';
import type { Seeded } from './seeded.js';
import type { World } from './world.js';

type Sent = { run: string; key: string; command: ErrandCommand; kind?: string };

/**
 * Somebody who gives commands and writes down which were acknowledged. No answer means unknown: the same command is
 * sent again with the same key, to whichever process is there.
 */
export class SimClient {
  /** What was answered to the keys of commands that were accepted. */
  readonly acknowledged = new Map<string, { run: string; answer: string | undefined }>();
  readonly problems: string[] = [];
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

  isWaitingFor(run: string): boolean {
    return [...this.unanswered.values()].includes(run);
  }

  submit(run: string, others: readonly string[]): void {
    const { chance } = this;
    const order = {
      title: `errand ${run}`,
      agent: chance.pick(['alpha', 'beta']),
      request: { sha256: '', bytes: 0 },
      steps: 1 + chance.below(4),
      retriesMax: 2,
      stepTimeoutMs: 5000,
      limits: chance.chance(0.2) ? { costMicroUsd: 2500 } : {},
      rank: chance.below(3),
      after: others.length > 0 && chance.chance(0.3) ? chance.pick(others) : null,
      check: chance.chance(0.3) ? { argv: ['true'], cwd: '.' } : null,
      review: chance.chance(0.2),
      report: others.length > 0 && chance.chance(0.8) ? chance.pick(others) : null,
    };
    this.send({
      run,
      key: `submit-${run}`,
      kind: 'errand',
      command: { type: 'Submit', atMs: this.world.nowMs, ...order },
    });
  }

  /** What a human might do to a run, whether or not it is allowed now. */
  act(run: string, type: 'Approve' | 'Cancel' | 'Raise' | 'Reject'): void {
    this.count += 1;
    const { nowMs: atMs } = this.world;
    const command: ErrandCommand = type === 'Raise' ? { type, atMs, limits: {} } : { type, atMs };
    this.send({ run, key: `${type}-${this.count}`, command });
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

  private async deliver({ engine, ports }: Member, { run, key, command, kind }: Sent): Promise<void> {
    const { ref, body } = sealBody(ports, `request of ${run}`);
    const filled = command.type === 'Submit' ? { ...command, request: ref } : command;
    const payload = ports.hasher.sha256(JSON.stringify({ ...filled, atMs: 0 }));
    const origin = { actor: 'client', key: { scope: 'client', key, payload }, bodies: [body] };
    const outcome = kind ? await engine.create(run, kind, filled, origin) : await engine.send(run, filled, origin);
    if (outcome.type === 'fenced') return void this.problems.push(`${run}: ${key} of a client was fenced`);
    if (outcome.type === 'refused') {
      if (outcome.refusal.code === 'KEY_REUSED') this.problems.push(`${run}: ${key} is said to be used already`);
      return;
    }
    const answer = outcome.type === 'repeated' ? outcome.answer : this.acknowledged.get(key)?.answer;
    this.acknowledged.set(key, { run, answer });
  }
}
