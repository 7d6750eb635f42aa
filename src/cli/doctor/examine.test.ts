import { expect, test } from 'vitest';
import { examine } from './examine.js';
import { machine } from './fake-probe.js';
import type { Check } from './finding.js';

const well: Check = async () => [{ topic: 'well', status: 'ok', text: 'fine' }];

test('a check that throws becomes a problem without a stack trace and harms no other', async () => {
  const throws: Check = async () => {
    throw new Error('no such device');
  };
  const findings = await examine(machine(), {
    checks: [
      { topic: 'bad', check: throws },
      { topic: 'well', check: well },
    ],
  });
  expect(findings).toEqual([
    { topic: 'bad', status: 'problem', text: 'the check failed: no such device' },
    { topic: 'well', status: 'ok', text: 'fine' },
  ]);
});

test('a check that hangs is given up, and all run at once', async () => {
  const hangs: Check = () => new Promise(() => {});
  const checks = ['a', 'b', 'c'].map((topic) => ({ topic, check: hangs }));
  const startedMs = performance.now();
  const findings = await examine(machine(), { checks, checkMsMax: 200 });
  expect(performance.now() - startedMs).toBeLessThan(550);
  expect(findings).toMatchObject([{ status: 'problem' }, { status: 'problem' }, { status: 'problem' }]);
});
