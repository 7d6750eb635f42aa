import { SYSTEM_KIND, SYSTEM_RUN } from '../../core/kernel/system-run.js';
import type { KeptNotifier } from '../../core/system/notifier.js';
import type { SystemCommand, SystemState } from '../../core/system/system-messages.js';
import { orThrow } from '../dispatch.js';
import type { Engine } from '../engine.js';
import type { Machines } from '../machines.js';
import type { Clock, EventStore } from '../ports.js';
import { readRun } from '../read-run.js';

/** Who is told that something waits; kept in the run `system`. */
export class NotifierService {
  private readonly around: { store: EventStore; clock: Clock; machines: Machines; engine: Engine };

  constructor(around: { store: EventStore; clock: Clock; machines: Machines; engine: Engine }) {
    this.around = around;
  }

  async list(): Promise<readonly KeptNotifier[]> {
    const { store, machines } = this.around;
    const state = (await readRun(store, machines, SYSTEM_RUN))?.state as SystemState | undefined;
    return [...(state?.notifiers.values() ?? [])];
  }

  add(notifier: KeptNotifier, actor: string): Promise<void> {
    return this.send({ type: 'AddNotifier', atMs: this.around.clock.nowMs(), notifier }, actor);
  }

  remove(name: string, actor: string): Promise<void> {
    return this.send({ type: 'RemoveNotifier', atMs: this.around.clock.nowMs(), name }, actor);
  }

  /** Somebody could not be told, which somebody should know. */
  failed(name: string, run: string, reason: string): Promise<void> {
    return this.send({ type: 'NoteUntold', atMs: this.around.clock.nowMs(), name, run, reason }, 'notifier');
  }

  private async send(command: SystemCommand, actor: string): Promise<void> {
    const { engine } = this.around;
    orThrow(await engine.send(SYSTEM_RUN, command, { actor }, { create: SYSTEM_KIND }));
  }
}
