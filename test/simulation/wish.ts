import type { BodyRef } from '../../src/core/kernel/effect.js';
import type { AnyCommand } from '../../src/engine/machines.js';
import type { InboxRow, RunRow } from '../../src/engine/ports.js';
import type { Seeded } from './seeded.js';

/** Something a person wants of a run. Its texts are stored with it; the command names them in their order. */
export type Wish = {
  type: string;
  texts?: readonly string[];
  command: (atMs: number, refs: readonly BodyRef[]) => AnyCommand;
};

/** What people do with one kind of run. */
export type Customs = {
  submission(run: string, others: readonly string[], chance: Seeded): Wish;
  /** Whether or not it is allowed now. */
  meddling(chance: Seeded): Wish;
  /** What helps a run that waits for a human; undefined when it does not. `open`: what it asks in the inbox. */
  answer(row: RunRow, open: InboxRow | undefined): Wish | undefined;
  /** What somebody says to a question that was read, whether or not it is over meanwhile. */
  decide?(question: InboxRow, chance: Seeded): Wish;
};
