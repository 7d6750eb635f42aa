import { COMMANDS } from './catalogue.js';
import type { CommandSpec, RunCommand } from './command.js';
import type { Io } from './io.js';
import { commandsOf, findCommand, parseWords, unknownCommand } from './parse-command.js';
import { renderGroup, renderHelp } from './render-help.js';
import { reportError } from './report-error.js';

/** Finds the command, parses its words, runs it, and turns errors into words and an exit code. */
export async function runCli(
  argv: readonly string[],
  io: Io,
  find: (spec: CommandSpec) => Promise<RunCommand>,
): Promise<number> {
  const words = rewriteShortForms(argv);
  try {
    const spec = findCommand(words, COMMANDS);
    if (!spec) {
      const group = commandsOf(words[0] ?? '', COMMANDS);
      if (group.length === 0 || (words[1] !== '--help' && words[1] !== '-h')) throw unknownCommand(words, COMMANDS);
      io.out(renderGroup(words[0] ?? '', group));
      return 0;
    }
    const parsed = parseWords(spec, words.slice(spec.name.split(' ').length));
    if (parsed.values.help) {
      io.out(renderHelp(spec));
      return 0;
    }
    const run = await find(spec);
    return await run(parsed, io);
  } catch (failure) {
    return reportError(io, failure, words.includes('--json'));
  }
}

/** `baton`, `baton --help` and `baton --version` are commands too. */
function rewriteShortForms(argv: readonly string[]): readonly string[] {
  const [first, ...rest] = argv;
  if (first === '--help' || first === '-h') return ['help', ...rest];
  if (first === undefined || first === '--json') return ['status', ...argv];
  if (first === '--version' || first === '-v' || first === '-V') return ['version', ...rest];
  return argv;
}
