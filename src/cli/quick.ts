/**
 * The small tier, bundled into one CommonJS file: what CI runs thousands of times starts at once. Everything else is
 * the full build, loaded by import() when it is asked for.
 */

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { COMMANDS } from './catalogue.js';
import type { RunCommand } from './command.js';
import { runSchemaList, runSchemaShow } from './commands/schema.js';
import { type LoadContract, runValidate } from './commands/validate.js';
import { commandsOf, findCommand, unknownCommand } from './parse-command.js';
import { processIo } from './process-io.js';
import { renderGroup, renderHelp, renderOverview } from './render-help.js';
import { runCli } from './run-cli.js';

/** What bin/baton.cjs knows and a bundle cannot: where the package lies and how its other files are loaded. */
export type Package = {
  root: string;
  loadContract: LoadContract;
  loadEnvelopes(): typeof import('./commands/envelope-document.js');
  loadFull(): Promise<{ fullCommands: Readonly<Record<string, RunCommand>> }>;
};

export async function main(argv: readonly string[], pack: Package): Promise<void> {
  const quick: Readonly<Record<string, RunCommand>> = {
    validate: (parsed, io) => runValidate(parsed, io, pack.loadContract),
    'envelope create': (parsed, io) => pack.loadEnvelopes().runEnvelopeCreate(parsed, io),
    'envelope can-continue': (parsed, io) => pack.loadEnvelopes().runEnvelopeCanContinue(parsed, io),
    'envelope result': (parsed, io) => pack.loadEnvelopes().runEnvelopeResult(parsed, io),
    'envelope validate': (parsed, io) => pack.loadEnvelopes().runEnvelopeValidate(parsed, io),
    'schema list': async (parsed, io) => runSchemaList(parsed, io, pack.root),
    'schema show': async (parsed, io) => runSchemaShow(parsed, io, pack.root),
    version: async ({ values }, io) => {
      const version = versionOf(pack.root);
      io.out(values.json ? `${JSON.stringify({ version })}\n` : `baton ${version}\n`);
      return 0;
    },
    help: async ({ positionals }, io) => {
      const spec = findCommand(positionals, COMMANDS);
      const [word = ''] = positionals;
      const group = positionals.length === 1 && !spec ? commandsOf(word, COMMANDS) : [];
      if (positionals.length > 0 && !spec && group.length === 0) throw unknownCommand(positionals, COMMANDS);
      if (group.length > 0) io.out(renderGroup(word, group));
      else io.out(spec ? renderHelp(spec) : renderOverview(versionOf(pack.root), COMMANDS));
      return 0;
    },
  };
  process.exitCode = await runCli(argv, processIo(), async ({ name }) => {
    const run = quick[name] ?? (await pack.loadFull()).fullCommands[name];
    if (!run) throw new Error(`no tier runs the command ${name}`);
    return run;
  });
}

function versionOf(root: string): string {
  return JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')).version;
}
