/**
 * The plain form of payloads, told by hand. Slow and simple on purpose: it shares nothing with the generated
 * validators, so that a mistake in one of them shows.
 */

import { momentMs } from './moments.js';

export type Code =
  | 'SCHEMA_INVALID'
  | 'MISSING_REQUIRED_INPUT'
  | 'UNKNOWN_SCHEMA_VERSION'
  | 'LOCK_CONFLICT'
  | 'SCOPE_VIOLATION'
  | 'ACCEPTANCE_FAILED'
  | 'UNTRUSTED_CONTEXT_BLOCK'
  | 'LEDGER_INCONSISTENT'
  | 'TASK_TIMEOUT'
  | 'KEY_REUSED'
  | 'NON_COMPLIANT';

export type Finding = Code | undefined;

export type Shape = {
  /** The first thing that is wrong, in the order in which a reader goes through the payload. */
  problem(value: unknown): Finding;
  /** Strict mode: is there a field nobody has heard of? Asked only of a value without a problem. */
  hasUnknown(value: unknown): boolean;
};

export type Fields = Record<string, unknown>;

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function has(object: Fields, field: string): boolean {
  return Object.hasOwn(object, field);
}

/** A value without parts. */
function plain(holds: (value: unknown) => boolean): Shape {
  return { problem: (value) => (holds(value) ? undefined : 'SCHEMA_INVALID'), hasUnknown: () => false };
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isBlank = (text: string): boolean => text.trim() === '';

export const anyText = plain(isText);
export const anyObject = plain(isFields);
export const flag = plain((value) => value === true || value === false);
export const moment = plain((value) => isText(value) && momentMs(value) !== undefined);
export const momentOrNull = plain((value) => value === null || (isText(value) && momentMs(value) !== undefined));

/** Text that says something; its length is counted in characters. */
export function text(longest = Number.POSITIVE_INFINITY): Shape {
  return plain((value) => isText(value) && !isBlank(value) && [...value].length <= longest);
}

export function oneOf(...names: readonly string[]): Shape {
  return plain((value) => names.some((name) => name === value));
}

export function whole(least: number, most = Number.POSITIVE_INFINITY): Shape {
  return plain((value) => typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most);
}

export function matching(pattern: RegExp): Shape {
  return plain((value) => isText(value) && pattern.test(value));
}

export function listOf(item: Shape, { least = 0, most = Number.POSITIVE_INFINITY } = {}): Shape {
  return {
    problem(value) {
      if (!Array.isArray(value)) return 'SCHEMA_INVALID';
      if (value.length > most) return 'SCHEMA_INVALID';
      if (value.length < least) return 'MISSING_REQUIRED_INPUT';
      for (const entry of value) {
        const found = item.problem(entry);
        if (found) return found;
      }
      return undefined;
    },
    hasUnknown: (value) => (value as unknown[]).some((entry) => item.hasUnknown(entry)),
  };
}

type Field = Shape & { readonly optional?: true };

export function optional(shape: Shape): Field {
  return { ...shape, optional: true };
}

/** An object: first what is absent, then each field in the order given here. */
export function record(fields: Record<string, Field>): Shape {
  return {
    problem(value) {
      if (!isFields(value)) return 'SCHEMA_INVALID';
      const absent = Object.entries(fields).some(([field, shape]) => !shape.optional && !has(value, field));
      if (absent) return 'MISSING_REQUIRED_INPUT';
      for (const [field, shape] of Object.entries(fields)) {
        const found = has(value, field) ? shape.problem(value[field]) : undefined;
        if (found) return found;
      }
      return undefined;
    },
    hasUnknown: (value) =>
      Object.entries(value as Fields).some(([field, inner]) => {
        const shape = has(fields, field) ? fields[field] : undefined;
        return shape ? shape.hasUnknown(inner) : !field.startsWith('x_');
      }),
  };
}

/** An object that may say more than is known of it, in strict mode too. */
export function openRecord(fields: Record<string, Field>): Shape {
  return { ...record(fields), hasUnknown: () => false };
}

/** The first finding of several questions; later ones are only asked when the earlier found nothing. */
export function first(...questions: readonly (() => Finding)[]): Finding {
  for (const question of questions) {
    const found = question();
    if (found) return found;
  }
  return undefined;
}

export function firstAmong<T>(items: readonly T[], question: (item: T) => Finding): Finding {
  return first(...items.map((item) => () => question(item)));
}

export function unless(holds: boolean, code: Code): Finding {
  return holds ? undefined : code;
}
