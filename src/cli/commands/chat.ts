import type { ReadStream, WriteStream } from 'node:tty';
import { BatonError } from '../../contracts/shared/errors.js';
import { Chat } from '../session/chat.js';
import { atSessions, type SessionCommand } from '../session/opened-sessions.js';

/** `baton chat`: a session at this terminal. */
export const runChat: SessionCommand = (parsed, io, open) => {
  const { stdin, stdout } = process;
  if (!stdin.isTTY || !stdout.isTTY) {
    throw new BatonError('USAGE', 'baton chat needs a terminal; without one: baton exec "PROMPT", or baton session');
  }
  const terminal = { input: stdin as ReadStream, output: stdout as WriteStream };
  return atSessions(open, io, (place) => new Chat(place, parsed, io, terminal).run());
};
