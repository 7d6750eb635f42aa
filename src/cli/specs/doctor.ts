import type { CommandSpec } from '../command.js';

export const doctorSpec: CommandSpec = {
  name: 'doctor',
  summary: 'Check this machine: which agents can work, and what to repair',
  options: {
    'show-fix': { type: 'string', value: 'TOPIC', help: 'Print the commands that repair one line, e.g. sandbox' },
  },
  examples: ['baton doctor', 'baton doctor --json', 'baton doctor --show-fix sandbox'],
  first: true,
};
