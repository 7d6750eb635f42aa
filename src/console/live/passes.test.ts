import { expect, test } from 'vitest';
import { BatonError } from '../../client/index.js';
import { passes } from './passes.js';

test('what nobody answered is read again; what was refused is not', () => {
  expect(passes(new TypeError('Failed to fetch'))).toBe(true);
  expect(passes(new BatonError('SERVER_UNREACHABLE', 'the server did not answer'))).toBe(true);
  expect(passes(new BatonError('SESSION_NOT_FOUND', 'there is no session "x"'))).toBe(false);
});
