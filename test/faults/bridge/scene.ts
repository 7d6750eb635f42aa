import type { Seeded } from '../../simulation/seeded.js';
import type { ProgramProcess } from '../stage/program-process.js';
import type { BridgeMoment } from './bridge-moment.js';
import type { Victim } from './bridge-play.js';
import type { BridgeStage } from './bridge-stage.js';

/** Who is killed, and when. */
export type Aim = { victim: Victim; moment: BridgeMoment | 'any' };

/** How likely it is that something happens besides the kills. */
export const LIKELY = { stale: 0.3, gone: 0.3, server: 0.3, leftToServer: 0.5 };

export type Scene = {
  stage: BridgeStage;
  chance: Seeded;
  moments: BridgeMoment[];
  ways: Map<string, number>;
  likely: typeof LIKELY;
  server: ProgramProcess | null;
  /** Every kill is of this kind. */
  only: Aim | undefined;
};

export function tally({ ways }: Pick<Scene, 'ways'>, what: string): void {
  ways.set(what, (ways.get(what) ?? 0) + 1);
}
