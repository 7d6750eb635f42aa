import { describe, expect, test } from 'vitest';
import { BatonError } from './errors.js';

describe('the hint of an error', () => {
  test('names details only where there are some', () => {
    const { hint } = new BatonError('SCHEMA_INVALID', 'no', { contract: 'plan' });
    expect(hint).toContain('details.contract');
    for (const details of [undefined, {}, { problem: 'utf8' }]) {
      const bare = new BatonError('SCHEMA_INVALID', 'no', details);
      expect([bare.hint, bare.toObject().hint].join()).not.toContain('details.');
    }
  });

  test('may be its own', () => {
    const hint = 'Turn it round.';
    expect(new BatonError('FORBIDDEN', 'no', { needed: 'admin' }, hint).toObject()).toMatchObject({ hint });
  });
});
