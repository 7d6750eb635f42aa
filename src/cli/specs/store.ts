import type { CommandSpec } from '../command.js';

export const storeCheckSpec: CommandSpec = {
  name: 'store check',
  summary: 'Verify the journal and compare every list with what its events say',
  examples: ['baton store check', 'baton store check --json'],
};

export const storeBackupSpec: CommandSpec = {
  name: 'store backup',
  summary: 'Copy this home into a new folder, while everything goes on',
  positionals: 'DIR',
  arity: { min: 1, max: 1 },
  examples: ['baton store backup /backups/monday'],
};

export const storeStatsSpec: CommandSpec = {
  name: 'store stats',
  summary: 'Count what is stored and say how much space it takes',
  examples: ['baton store stats', 'baton store stats --json'],
};
