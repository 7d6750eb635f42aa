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
  readonly acknowledged = new Map<string, string>();
  private readonly unanswered = new Set<string>();
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
    return [...this.unanswered];
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
      report: others.length > 0 && chance.chance(0.4) ? chance.pick(others) : null,
    };
    this.send({
      run,
      key: `submit-${run}`,
      kind: 'errand',
      command: { type: 'Submit', atMs: this.world.nowMs, ...order },
    });
  }

  /** What a human might do to a run, whether or not it is allowed now. */
  act(run: string, type: 'Approve' | 'Cancel' | 'Raise'): void {
    this.count += 1;
    const { nowMs: atMs } = this.world;
    const command: ErrandCommand = type === 'Raise' ? { type, atMs, limits: {} } : { type, atMs };
    this.send({ run, key: `${type}-${this.count}`, command });
  }

  private send(sent: Sent): void {
    this.unanswered.add(sent.key);
    const tryOnce = (): void => {
      const member = this.fleet.members.length > 0 ? this.chance.pick(this.fleet.members) : undefined;
      let answered = false;
      if (member && !member.process.paused) {
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
    if (outcome.type === 'fenced') throw new Error('a command is never fenced');
    if (outcome.type === 'accepted' || outcome.type === 'repeated') this.acknowledged.set(key, run);
  }
}
