import { describe, expect, test } from 'vitest';
import { SHOWN } from './behaviours.js';
import { BEHAVIOURS } from './scene.js';
import { SUBJECTS } from './subjects.js';

const LONG_MS = 120_000;

describe.each(SUBJECTS.map((subject) => [subject.name, subject] as const))('%s', { timeout: LONG_MS }, (_, subject) => {
  const { cannot } = subject;
  const able = BEHAVIOURS.filter((behaviour) => cannot[behaviour] === undefined);
  const unable = BEHAVIOURS.flatMap((behaviour) => {
    const reason = cannot[behaviour];
    return reason === undefined ? [] : [[behaviour, reason] as const];
  });

  test.each(able)('%s', (behaviour) => SHOWN[behaviour].shows(subject));

  test.each(unable)('not: %s (%s)', async (behaviour) => {
    const { lacks } = SHOWN[behaviour];
    expect(lacks, 'what cannot be looked at cannot be left out').toBeDefined();
    await lacks?.(subject);
  });
});
