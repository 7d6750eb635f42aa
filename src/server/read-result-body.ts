import { BatonError } from '../contracts/shared/errors.js';
import { isObject } from '../contracts/shared/is-object.js';

/** A result as it is sent: itself, or a text that holds it, with the number of the claim it was made under. */
export type SentResult = { result: object | string; epoch: number | null };

const EPOCH_FIELDS = ['epoch', 'x_epoch'] as const;

/** Either the result itself with the number beside its fields, or `{result, epoch}`. */
export function readResultBody(body: unknown): SentResult {
  if (!isObject(body)) throw new BatonError('SCHEMA_INVALID', 'the payload must be object', { path: '' });
  const { epoch, x_epoch, ...rest } = body;
  const numbers = EPOCH_FIELDS.filter((name) => body[name] !== undefined && body[name] !== null);
  for (const name of numbers) checkEpoch(name, body[name]);
  if (numbers.length > 1 && epoch !== x_epoch) {
    throw new BatonError('SCHEMA_INVALID', '/epoch and /x_epoch are two different numbers', { path: '/epoch' });
  }
  const [named] = numbers;
  return { result: resultIn(rest), epoch: named === undefined ? null : (body[named] as number) };
}

function resultIn(rest: Record<string, unknown>): object | string {
  const { result, ...others } = rest;
  if (result === undefined) return rest;
  const [field] = Object.keys(others);
  if (field !== undefined) {
    const reason = `the payload has the unknown field ${JSON.stringify(field)}`;
    throw new BatonError('SCHEMA_INVALID', reason, { path: '', field });
  }
  if (typeof result === 'string' || isObject(result)) return result;
  throw new BatonError('SCHEMA_INVALID', '/result must be object or string', { path: '/result' });
}

function checkEpoch(name: string, value: unknown): void {
  if (Number.isSafeInteger(value) && (value as number) > 0) return;
  throw new BatonError('SCHEMA_INVALID', `/${name} must be a whole number from 1 on`, { path: `/${name}` });
}
