import type { Io } from '../io.js';
import { printable } from '../printable.js';

const LENGTH_MAX = 60;
const SECRET_NAME = /KEY|TOKEN|SECRET|PASSWORD|CREDENTIAL/i;
const SECRET_LENGTH_MIN = 6;

/** What a program said: one line, harmless on a terminal, without the secrets of our environment, marked as a quote. */
export function quoteOutput(text: string, env: Io['env']): string {
  const line = text.split('\n').find((candidate) => candidate.trim() !== '') ?? '';
  const shown = printable(withoutSecrets(line.trim(), env));
  return JSON.stringify(shown.length > LENGTH_MAX ? `${shown.slice(0, LENGTH_MAX)}…` : shown);
}

function withoutSecrets(text: string, env: Io['env']): string {
  let clean = text;
  for (const [name, value = ''] of Object.entries(env)) {
    if (SECRET_NAME.test(name) && value.length >= SECRET_LENGTH_MIN) clean = clean.replaceAll(value, `<${name}>`);
  }
  return clean;
}
