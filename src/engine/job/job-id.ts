import { BatonError } from '../../contracts/shared/errors.js';

import { SYSTEM_RUN } from '../../core/kernel/system-run.js';

const ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;
const WORDS_MAX = 2;
const SLUG_LENGTH_MAX = 24;
/** Without letters and digits that are taken for each other. */
const ALPHABET = '23456789abcdefghjkmnpqrstuvwxyz';
const TAIL_LENGTH = 3;
const FILLERS = new Set(['a', 'an', 'the', 'please', 'to', 'of', 'in', 'on', 'and', 'for', 'with', 'this', 'that']);

/** Names that mean something else wherever an id is typed. */
const RESERVED: readonly string[] = [SYSTEM_RUN, 'LAST'];

export function checkJobId(id: string): string {
  if (RESERVED.includes(id)) throw new BatonError('ID_TAKEN', `${id} is a name of Baton's own`, { run_id: id });
  if (ID.test(id)) return id;
  const reason = `${JSON.stringify(id.slice(0, 120))} is no id: letters, digits, dot, dash and underscore, at most 100`;
  throw new BatonError('SCHEMA_INVALID', reason, { path: '/id' });
}

/** Words of the prompt and three characters: short enough to type, rare enough not to meet. */
export function newJobId(text: string, random: () => number): string {
  const words = (text.toLowerCase().match(/[a-z0-9]+/g) ?? []).filter((word) => !FILLERS.has(word));
  const slug = words.slice(0, WORDS_MAX).join('-').slice(0, SLUG_LENGTH_MAX).replace(/-+$/, '') || 'job';
  const tail = Array.from({ length: TAIL_LENGTH }, () => ALPHABET[Math.floor(random() * ALPHABET.length)]).join('');
  return `${slug}-${tail}`;
}
