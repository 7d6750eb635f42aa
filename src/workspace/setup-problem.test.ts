import { expect, test } from 'vitest';
import { setupProblem } from './setup-problem.js';

const END = { exitCode: 1, timedOut: false, stdout: '', ms: 1 } as Parameters<typeof setupProblem>[1];
const told = (refused: string[], unreached: string[] = []) =>
  setupProblem(['npm', 'ci'], END, { hosts: ['*'], refused: new Set(refused), unreached: new Set(unreached) });

test.each(['169.254.169.254:443', '127.0.0.1:22', '[::ffff:127.0.0.1]:443', '[fd00:ec2::254]:80', 'intern.test'])(
  'an address of this network is not one to be named for it: %s',
  (target) => {
    const said = told([target]);
    expect(said).toContain('leads to this machine or its network');
    expect(said).not.toContain('--net');
  },
);

test('a host on another port can be named for it', () => {
  expect(told(['packages.test:8443', '93.184.216.34:443'])).toContain(
    'Begin the job anew with --net packages.test:8443 --net 93.184.216.34,',
  );
});

test('a network that does not work is no reason to leave the sandbox', () => {
  const said = told([], ['registry.test:443']);
  expect(said).toContain('It asked for registry.test, which cannot be reached from here.');
  expect(said).not.toContain('danger-full-access');
});
