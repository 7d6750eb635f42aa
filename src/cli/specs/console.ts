import type { CommandSpec } from '../command.js';

export const consoleSpec: CommandSpec = {
  name: 'console',
  summary: 'Open the console in a browser, with a link that logs it in',
  options: {
    'no-open': { type: 'boolean', help: 'Only print the link' },
  },
  examples: ['baton console', 'baton console --no-open'],
};
