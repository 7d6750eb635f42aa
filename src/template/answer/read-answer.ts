import { readAnswerJson } from '../../contracts/bridge/answer-object.js';
import { BatonError } from '../../contracts/shared/errors.js';
import { isObject } from '../../contracts/shared/is-object.js';
import { plainLine, plainText } from './plain-text.js';

export type Fields = Readonly<Record<string, unknown>>;

/** The JSON object an agent answered with. */
export function answerObject(text: string): Fields {
  const read = readAnswerJson(text);
  if ('denial' in read) throw new BatonError('PARSE_ERROR', `the answer is not JSON: ${read.denial.reason}`);
  if (!isObject(read.value)) throw invalid('', 'is no JSON object');
  return read.value;
}

export function invalid(path: string, why: string): BatonError {
  return new BatonError('VALIDATION_ERROR', `${path || 'the answer'} ${why}`, { path: path || '/' });
}

/** Absent and null are both: it was not said. */
function said(fields: Fields, key: string): unknown {
  const value = Object.hasOwn(fields, key) ? fields[key] : undefined;
  return value === null ? undefined : value;
}

export function objectField(fields: Fields, key: string, at = ''): Fields | undefined {
  const value = said(fields, key);
  if (value === undefined) return undefined;
  if (!isObject(value)) throw invalid(`${at}/${key}`, 'is no object');
  return value;
}

/** One line, without characters that hide or reorder. */
export function lineField(fields: Fields, key: string, lengthMax: number, at = ''): string | undefined {
  const value = said(fields, key);
  return value === undefined ? undefined : oneLine(value, `${at}/${key}`, lengthMax);
}

/** Several lines, without characters that hide or reorder. */
export function textField(fields: Fields, key: string, lengthMax: number, at = ''): string | undefined {
  const value = said(fields, key);
  if (value === undefined) return undefined;
  if (typeof value !== 'string') throw invalid(`${at}/${key}`, 'is no text');
  if (value.length > lengthMax) throw invalid(`${at}/${key}`, `is longer than ${lengthMax} characters`);
  return plainText(value).trim();
}

export function linesField(
  fields: Fields,
  key: string,
  { itemsMax, lengthMax }: { itemsMax: number; lengthMax: number },
  at = '',
): string[] | undefined {
  const items = listField(fields, key, itemsMax, at);
  if (items === undefined) return undefined;
  const lines = items.map((item, index) => oneLine(item, `${at}/${key}/${index}`, lengthMax));
  return [...new Set(lines)];
}

export function listField(fields: Fields, key: string, itemsMax: number, at = ''): readonly unknown[] | undefined {
  const value = said(fields, key);
  if (value === undefined) return undefined;
  if (!Array.isArray(value)) throw invalid(`${at}/${key}`, 'is no list');
  if (value.length > itemsMax) throw invalid(`${at}/${key}`, `has more than ${itemsMax} entries`);
  return value;
}

/** A number from 0 to 1. */
export function shareField(fields: Fields, key: string, at = ''): number | undefined {
  const value = said(fields, key);
  if (value === undefined) return undefined;
  if (typeof value !== 'number' || !(value >= 0 && value <= 1))
    throw invalid(`${at}/${key}`, 'is no number from 0 to 1');
  return value;
}

function oneLine(value: unknown, path: string, lengthMax: number): string {
  if (typeof value !== 'string') throw invalid(path, 'is no text');
  const line = plainLine(value);
  if (line === '') throw invalid(path, 'is empty');
  if (line.length > lengthMax) throw invalid(path, `is longer than ${lengthMax} characters`);
  return line;
}
