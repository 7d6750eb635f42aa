import { describe, expect, test } from 'vitest';
import { editDistance, nearest } from './edit-distance.js';

describe('nearest', () => {
  test('finds the command behind a missing, doubled, wrong or swapped letter', () => {
    const commands = ['validate', 'version', 'approve', 'doctor', 'job'];
    expect(['aprove', 'doctorr', 'versoin', 'valudate', 'jb'].map((word) => nearest(word, commands))).toEqual([
      'approve',
      'doctor',
      'version',
      'validate',
      'job',
    ]);
  });

  test('suggests nothing when no candidate is close', () => {
    expect(nearest('banana', ['validate', 'job'])).toBeUndefined();
    expect(nearest('', ['validate'])).toBeUndefined();
    expect(nearest('xy', ['job'])).toBeUndefined();
    expect(nearest('a'.repeat(101), ['a'.repeat(101)])).toBeUndefined();
  });

  test('takes a beginning that only one candidate has', () => {
    expect(nearest('val', ['validate', 'job'])).toBe('validate');
    expect(nearest('config', ['config get', 'config set'])).toBeUndefined();
    expect(nearest('v', ['validate', 'job'])).toBeUndefined();
  });

  test('does not mind capitals and takes the earlier of two equals', () => {
    expect(nearest('DOCTOR', ['doctor'])).toBe('doctor');
    expect(nearest('cat', ['bat', 'hat'])).toBe('bat');
  });
});

test('a swap of neighbours counts once, everything else once a letter', () => {
  expect(editDistance('ab', 'ba')).toBe(1);
  expect(editDistance('kitten', 'sitting')).toBe(3);
  expect(editDistance('', 'abc')).toBe(3);
  expect(editDistance('abc', '')).toBe(3);
});
