import { type Contract, check } from './contract.js';
import { BatonError } from './errors.js';
import { readJson } from './read-json.js';

/** A file of settings that is damaged is refused with its name and the place, never guessed at. */
export function parseFile<T>(contract: Contract<T>, file: string, text: string | Uint8Array): T {
  const read = readJson(text);
  const { allow, reason, details } = 'denial' in read ? read.denial : check(contract, read.value);
  if (!allow) throw new BatonError('CONFIG_INVALID', `${file}: ${reason}`, { file, ...details });
  return (read as { value: T }).value;
}
