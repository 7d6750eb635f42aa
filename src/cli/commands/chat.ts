import type { ReadStream, WriteStream } from 'node:tty';
import { BatonError } from '../../contracts/shared/errors.js';
import { type BatonCommand, inBaton } from '../opened-baton.js';
import { Chat } from '../session/chat.js';

/** `baton chat`: a session at this terminal. */
export const runChat: BatonCommand = (parsed, io, open) => {
  const { stdin, stdout } = process;
  if (!stdin.isTTY || !stdout.isTTY) {
    throw new BatonError('USAGE', 'baton chat needs a terminal; without one: baton exec "PROMPT", or baton session');
  }
  const terminal = { input: stdin as ReadStream, output: stdout as WriteStream };
  return inBaton(open, { drives: true }, (baton) => new Chat(baton, parsed, io, terminal).run());
};
