import { BatonError } from '../contracts/shared/errors.js';
import type { Parsed } from './command.js';

export function textOption({ values }: Parsed, name: string): string | undefined {
  const value = values[name];
  return typeof value === 'string' ? value : undefined;
}

export function countOption(parsed: Parsed, name: string, range: { min: number; max: number }): number | undefined {
  const text = textOption(parsed, name);
  if (text === undefined) return undefined;
  const value = /^-?\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= range.min && value <= range.max) return value;
  throw new BatonError(
    'USAGE',
    `--${name} takes a number from ${range.min} to ${range.max}, not ${JSON.stringify(text)}`,
  );
}
