import { describe, expect, test } from 'vitest';
import { SHOWN } from './behaviours.js';
import { BEHAVIOURS, type Subject } from './scene.js';

const LONG_MS = 120_000;

/** All that an agent must do, whatever it is; what it cannot is shown, too. */
export function conforms(subjects: readonly Subject[]): void {
  describe.each(subjects.map((subject) => [subject.name, subject] as const))(
    '%s',
    { timeout: LONG_MS },
    (_, subject) => {
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
    },
  );
}
