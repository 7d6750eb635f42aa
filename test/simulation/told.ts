import type { AnyEvent, Machine } from '../../src/engine/machines.js';
import type { EventRow } from '../../src/engine/ports.js';
import type { MemoryJournal } from '../../src/store/memory/journal.js';

/** What the journal tells of one run. */
export type Told = {
  run: string;
  rows: readonly EventRow[];
  events: readonly AnyEvent[];
  journal: MemoryJournal;
};

/** What is special about runs of one kind: the machine that folds them, and what must hold besides. */
export type KindInvariants = { machine: Machine; problems(told: Told): string[] };
