/** The full tier of the command line: every command that is not in cli/quick.ts, loaded when it is called. */
import type { RunCommand } from './cli/command.js';

function lazily(load: () => Promise<RunCommand>): RunCommand {
  return async (parsed, io) => (await load())(parsed, io);
}

export const fullCommands: Readonly<Record<string, RunCommand>> = {
  init: lazily(async () => (await import('./cli/commands/init.js')).runInit),
  doctor: lazily(async () => (await import('./cli/commands/doctor.js')).runDoctor),
  'config list': lazily(async () => (await import('./cli/commands/config.js')).runConfigList),
  'config get': lazily(async () => (await import('./cli/commands/config.js')).runConfigGet),
  'config set': lazily(async () => (await import('./cli/commands/config.js')).runConfigSet),
  completion: lazily(async () => (await import('./cli/commands/completion.js')).runCompletion),
};
