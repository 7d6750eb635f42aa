import { expect, test } from 'vitest';
import type { Effect, EffectResult } from '../../src/core/kernel/effect.js';
import { isOwnerOnly, leavesSomethingBehind } from '../../src/engine/ownership.js';

const RESULTS: Record<EffectResult['type'], true> = {
  Answered: true,
  Failed: true,
  Asks: true,
  Lost: true,
  Executed: true,
  Performed: true,
  Woke: true,
  Ended: true,
  Told: true,
  Notified: true,
  Admitted: true,
  Parked: true,
  Afforded: true,
};
const LEFT_BEHIND: Record<Effect['type'], boolean> = {
  Ask: true,
  Exec: true,
  Perform: true,
  Wake: false,
  Await: false,
  Tell: false,
  Child: false,
  Notify: false,
  Afford: false,
  Admit: false,
};

test.each(Object.keys(RESULTS))('only the owner may say %s', (type) => {
  expect(isOwnerOnly({ type })).toBe(true);
});

test.each(['Submit', 'Approve', 'Cancel', 'toString', '__proto__', 'constructor'])('anyone may say %s', (type) => {
  expect(isOwnerOnly({ type })).toBe(false);
});

test.each(Object.entries(LEFT_BEHIND))('%s outlives its owner: %s', (type, outlives) => {
  expect(leavesSomethingBehind({ type })).toBe(outlives);
});
