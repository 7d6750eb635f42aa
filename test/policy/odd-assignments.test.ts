import { expect, test } from 'vitest';
import { createShellReader } from '../../src/sandbox/shell/create-shell-reader.js';

const reader = await createShellReader();

test.each(["printf '%s' ;?q=", 'true; ?a=b', 'true;*q=', '$q= true', 'true; 1q=2', 'true; a?=2'])(
  '%j sets nothing: a shell would run a program of that name, so it is not understood',
  (line) => {
    expect(reader.readLine(line, '.').understood).toBe(false);
  },
);

test.each(['A=1 true', 'true; _b2=3', 'A=1; B=2; true'])('%j sets what it says', (line) => {
  expect(reader.readLine(line, '.').understood).toBe(true);
});
