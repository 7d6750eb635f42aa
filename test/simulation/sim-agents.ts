import { NO_USAGE } from '../../src/core/kernel/effect.js';
import type { Agents, AskOutcome } from '../../src/engine/ports.js';
import type { Seeded } from './seeded.js';
import type { SimProcess } from './sim-process.js';
import type { World } from './world.js';

const USAGE = { inputTokens: 100, outputTokens: 20, costMicroUsd: 1000 };

type Working = { run: string; key: string; by: SimProcess };

/**
 * Agents outlive the process that asked them, as real ones do: only ending them ends them. The room notices when two
 * work on one run at the same time.
 */
export class AgentRoom {
  readonly working = new Set<Working>();
  readonly collisions: string[] = [];
  asks = 0;
  /** While trouble is on, agents fail and hang; afterwards they answer. */
  trouble = true;
  private readonly world: World;
  private readonly chance: Seeded;

  constructor(world: World, chance: Seeded) {
    this.world = world;
    this.chance = chance;
  }

  portFor(process: SimProcess): Agents {
    return {
      ask: (run, { key }, _request, signal) => this.ask(process, run, key, signal),
      endLeftover: async (run, key) => {
        const left = [...this.working].filter((one) => one.run === run && one.key === key);
        for (const one of left) this.working.delete(one);
        return left.length > 0 ? USAGE : NO_USAGE;
      },
    };
  }

  private ask(by: SimProcess, run: string, key: string, signal: AbortSignal): Promise<AskOutcome> {
    this.asks += 1;
    for (const other of this.working) {
      if (other.run === run)
        this.collisions.push(`${run}: ${key} by ${by.name} while ${other.key} by ${other.by.name}`);
    }
    const working = { run, key, by };
    this.working.add(working);
    return new Promise((resolve) => {
      signal.addEventListener('abort', () => {
        this.working.delete(working);
        resolve({ type: 'failed', failure: 'crash', reason: 'ended', usage: USAGE });
      });
      const hangs = this.trouble && this.chance.chance(0.05);
      const cancel = this.world.after(hangs ? 10_000_000 : 1 + this.chance.below(3000), () => {
        const ended = !this.working.delete(working);
        // The answer reaches the process that asked, unless it died or somebody ended the agent meanwhile.
        if (!ended) by.clock.after(0, () => resolve(this.outcome()));
      });
      signal.addEventListener('abort', cancel);
    });
  }

  private outcome(): AskOutcome {
    if (this.trouble && this.chance.chance(0.15)) {
      const failure = this.chance.pick(['network', 'crash', 'limit', 'auth'] as const);
      return { type: 'failed', failure, reason: 'simulated', usage: USAGE };
    }
    return { type: 'answered', text: `answer ${this.asks}`, usage: USAGE };
  }
}
