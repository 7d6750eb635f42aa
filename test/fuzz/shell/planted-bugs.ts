/** Bugs put between the harness and Baton: a harness that never complains about them proves nothing. */

import type { ShellSubject } from './shell-fuzz.js';

export const PLANTED_SHELL_BUGS: Record<string, (subject: ShellSubject) => ShellSubject> = {
  'the reader trips over a line that ends in a backslash': (subject) => ({
    ...subject,
    read(line) {
      if (line.endsWith('\\')) throw new TypeError('planted');
      return subject.read(line);
    },
  }),
  'the reader understands everything': (subject) => ({
    ...subject,
    read: (line) => ({ understood: true, commands: subject.read(line).commands }),
  }),
  'the reader forgets its limit': (subject) => ({
    ...subject,
    read(line) {
      const reading = subject.read(line);
      const isLimit = !reading.understood && reading.what === 'limit';
      return isLimit ? { ...reading, commands: [...reading.commands, ...reading.commands] } : reading;
    },
  }),
  'quotes are kept': (subject) => ({
    ...subject,
    read(line) {
      const reading = subject.read(line);
      const commands = reading.commands.map((one) => ({ ...one, argv: one.argv.map((word) => `'${word}'`) }));
      return { ...reading, commands };
    },
  }),
  'what is not understood is judged by what was found in it': (subject) => ({
    ...subject,
    judge: (reading, guard) => subject.judge({ understood: true, commands: reading.commands }, guard),
  }),
  'a sandbox is always there': (subject) => ({ ...subject, judge: (reading) => subject.judge(reading, 'inside') }),
};
