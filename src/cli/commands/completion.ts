import { CONTRACT_NAMES } from '../../contracts/contract-names.js';
import { BatonError } from '../../contracts/shared/errors.js';
import { COMMANDS } from '../catalogue.js';
import type { RunCommand } from '../command.js';
import { renderCompletion, SHELLS } from '../completion/render-completion.js';

export const runCompletion: RunCommand = async ({ positionals: [name = ''], values }, io) => {
  const shell = SHELLS.find((known) => known === name);
  if (!shell)
    throw new BatonError('USAGE', `baton completion takes ${SHELLS.join(', ')}, not ${JSON.stringify(name)}.`);
  const script = renderCompletion(shell, COMMANDS, CONTRACT_NAMES);
  io.out(values.json ? `${JSON.stringify({ shell, script })}\n` : script);
  return 0;
};
