import { Asks } from './asks.js';
import type { Bridge, BridgeOptions } from './bridge.js';
import { BridgeFolder } from './bridge-folder.js';
import { Checkpoint } from './checkpoint.js';

/** The orchestrator's side of contract 001: one folder, one program, one state. */
export function openBridge(options: BridgeOptions = {}): Bridge {
  const folder = new BridgeFolder(options.dir ?? '.');
  const checkpoint = new Checkpoint(folder, options.resume ?? process.argv.includes('--resume'), options);
  const asks = new Asks(folder, checkpoint, options);
  const { log = () => {} } = options;
  return {
    dir: folder.dir,
    resumed: checkpoint.found !== null,
    state: checkpoint.found,
    data: checkpoint.data,
    checkpoint: (place) => checkpoint.save(place),
    completed: (phase) => {
      if (checkpoint.complete(phase)) checkpoint.save({ ...phase, checkpoint_name: 'phase_completed' });
    },
    ask: (ask) => asks.ask(ask),
    finish: () => folder.clear((name) => log(`Removed checkpoint file: ${name}`)),
  };
}
