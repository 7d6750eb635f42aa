import { BatonError } from '../../contracts/shared/errors.js';
import { hasControlOrBidi } from '../../contracts/shared/resource.js';
import type { PhaseOptions } from './job-options.js';

const NAME_LENGTH_MAX = 100;

/** Phases come from files: each field is what it should be, or the file is refused with the place in it. */
export function checkPhases(phases: readonly unknown[]): readonly PhaseOptions[] {
  return phases.map((phase, index) => {
    const fields = (typeof phase === 'object' && phase !== null ? phase : {}) as Record<string, unknown>;
    for (const [field, rule] of Object.entries(RULES)) {
      if (rule.holds(fields[field])) continue;
      const path = `/phases/${index}/${field}`;
      throw new BatonError('SCHEMA_INVALID', `${path} ${rule.should}`, { path });
    }
    return fields as PhaseOptions;
  });
}

type Rule = { holds(value: unknown): boolean; should: string };

const NAME: Rule = {
  holds: (value) =>
    typeof value === 'string' && value.trim() !== '' && value.length <= NAME_LENGTH_MAX && !hasControlOrBidi(value),
  should: `must be a name of 1 to ${NAME_LENGTH_MAX} plain characters`,
};
const orNothing = ({ holds, should }: Rule): Rule => ({
  holds: (value) => value === undefined || value === null || holds(value),
  should: `${should}, or be left out`,
});
const isTextList = (value: unknown): boolean =>
  Array.isArray(value) && value.length > 0 && value.every((word) => typeof word === 'string');

const RULES: Readonly<Record<keyof PhaseOptions, Rule>> = {
  name: NAME,
  role: NAME,
  agent: NAME,
  instructions: orNothing({ holds: (value) => typeof value === 'string', should: 'must be a text' }),
  on_retry: orNothing({ holds: (value) => typeof value === 'string', should: 'must be the name of a phase' }),
  checks: orNothing({
    holds: (value) => Array.isArray(value) && value.every(isTextList),
    should: 'must be a list of commands, each a list of texts: [["npm", "test"]]',
  }),
};
