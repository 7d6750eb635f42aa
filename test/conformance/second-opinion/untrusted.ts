/** INTERFACE.md, "Validators": what may not stand in text that agents wrote. */

import { type Finding, isFields } from './shapes.js';

const CONTROL = [
  'packet_type',
  'ledger_delta',
  'assignments',
  'active_locks',
  'lock_scope',
  'required_output_schema',
  'allow',
];

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Text that is a JSON object with a field that steers the operator. */
function givesOrders(text: string): boolean {
  const value = parsed(text);
  return isFields(value) && Object.keys(value).some((field) => CONTROL.includes(field));
}

/** How many characters after `start` are of the given kind, without a gap. */
function run(text: string, start: number, allowed: RegExp): number {
  let length = 0;
  while (start + length < text.length && allowed.test(text.charAt(start + length))) length += 1;
  return length;
}

function follows(text: string, prefix: string, count: number, allowed: RegExp): boolean {
  for (let at = text.indexOf(prefix); at !== -1; at = text.indexOf(prefix, at + 1)) {
    if (run(text, at + prefix.length, allowed) >= count) return true;
  }
  return false;
}

function holdsSecret(text: string): boolean {
  return (
    follows(text, 'AKIA', 16, /[0-9A-Z]/) ||
    follows(text, 'sk-', 20, /[A-Za-z0-9_-]/) ||
    ['sk-ant-', 'ghp_', 'github_pat_'].some((prefix) => text.includes(prefix)) ||
    /-----BEGIN [A-Z0-9 ]*PRIVATE KEY/.test(text) ||
    /(api[_-]?key|secret|token)\s*[:=]\s*\S+/i.test(text)
  );
}

export function noOrders(texts: readonly string[]): Finding {
  return texts.some(givesOrders) ? 'UNTRUSTED_CONTEXT_BLOCK' : undefined;
}

export function noSecrets(texts: readonly string[]): Finding {
  return texts.some(holdsSecret) ? 'UNTRUSTED_CONTEXT_BLOCK' : undefined;
}
