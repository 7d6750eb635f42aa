import type { CommandSpec } from '../command.js';

/** `baton` without a word. */
export const statusSpec: CommandSpec = {
  name: 'status',
  summary: 'What waits for you, what runs, what is held up; the same as baton alone',
  examples: ['baton status', 'baton status --json'],
};
