import { environmentSecrets } from './environment-secrets.js';

/** `NAME=value`, `name: value` and `"name": "value"`, with or without quotes; the rest of the line is the value. */
const ENTRY = /^\s*(?:export\s+)?["']?([A-Za-z_][\w.-]*)["']?\s*[:=]\s*(.+?)\s*,?\s*$/;
const PLAIN = /^[a-z]+([ -][a-z]+)*$|^\d+$|^(true|false|null)$|^[./~]|^https?:\/\/[^@]*$/i;
const RANDOM_LENGTH_MIN = 16;

/** Values of a file of settings that must never be stored: by their name, or because nobody would type them. */
export function fileSecrets(text: string): string[] {
  const entries = text.split('\n').flatMap((line) => {
    const [, name, written] = ENTRY.exec(line) ?? [];
    return name === undefined || written === undefined ? [] : [[name, unquoted(written)] as const];
  });
  const named = entries.flatMap(([name, value]) => environmentSecrets({ [name.replaceAll(/[.-]/g, '_')]: value }));
  return [...named, ...entries.map(([, value]) => value).filter(looksRandom)];
}

function unquoted(value: string): string {
  const [, inside] = /^(?:"(.*)"|'(.*)')$/.exec(value)?.filter((part) => part !== undefined) ?? [];
  return inside ?? value;
}

/** Long, of letters and digits, and no word, path or address. */
function looksRandom(value: string): boolean {
  return (
    value.length >= RANDOM_LENGTH_MIN &&
    /\d/.test(value) &&
    /[A-Za-z]/.test(value) &&
    !PLAIN.test(value) &&
    !/\s/.test(value)
  );
}
