import { isIP } from 'node:net';
import type { Wanted } from '../../core/kernel/effect.js';
import type { Clock } from '../../engine/ports.js';
import { nameOf, readTarget } from '../../sandbox/relay/host-rules.js';
import { oneLine } from '../cli/fields.js';
import type { Permits } from './permit.js';

type Around = {
  permits: Permits;
  clock: Clock;
  workspace: string;
  /** Where the agent goes by itself. */
  ownHosts?: RegExp;
  /** Only a person can say whether it may. */
  onAsks(wanted: Wanted): void;
};
type Refusal = { host: string; by: string | undefined };

/** A refusal may come so long before the word that the command has begun. */
const EARLY_MS = 500;
/** One is asked for; the others are only to be told apart from it. */
const REFUSALS_MAX = 20;

/**
 * Notices that a command of an agent was refused a host outside of its sandbox. When the command has ended, a person is
 * asked for that host, unless a rule says no. What an agent tries by itself, without a command, is nothing to ask for.
 */
export class Leaving {
  private readonly around: Around;
  private refusals: Refusal[] = [];
  private running: string | undefined;
  private asked = false;

  constructor(around: Around) {
    this.around = around;
  }

  onRefused(text: string): void {
    const target = readTarget(text);
    if (target && this.around.ownHosts?.test(target.host)) return;
    // An address is none that a person knows; and what leads to this machine stays closed whatever is said.
    if (!target || isIP(target.host) !== 0 || this.refusals.length >= REFUSALS_MAX) return;
    const refusal: Refusal = { host: nameOf(target), by: this.running };
    this.refusals.push(refusal);
    if (refusal.by !== undefined) return;
    this.around.clock.after(EARLY_MS, () => {
      this.refusals = this.refusals.filter((one) => one !== refusal || one.by !== undefined);
    });
  }

  /** What the agent runs now, as far as its last word tells. */
  heard(running: string | undefined): void {
    this.running = running;
    if (running !== undefined) {
      for (const refusal of this.refusals) refusal.by ??= running;
      return;
    }
    const refused = this.refusals.filter(({ by }) => by !== undefined);
    this.refusals = [];
    // What cannot be judged is not asked for: the way stays closed.
    if (refused.length > 0) void this.ask(refused).catch(() => {});
  }

  private async ask(refusals: readonly Refusal[]): Promise<void> {
    const { permits, workspace, onAsks } = this.around;
    for (const { host, by } of refusals) {
      const permit = await permits.permit({ kind: 'network', what: host, cwd: workspace });
      if (permit.decision !== 'ask' || this.asked) continue;
      this.asked = true;
      onAsks({ ...permit.wanted, why: `${permit.why}, which was wanted by: ${oneLine(by ?? '')}` });
    }
  }
}
