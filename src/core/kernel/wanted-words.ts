import type { Wanted } from './effect.js';

const VERBS: Readonly<Record<Wanted['kind'], string>> = { exec: 'run:', patch: 'change:', network: 'reach' };

/** What an agent wants to do, behind the words "it asks whether it may". */
export function wantedWords({ kind, what }: Pick<Wanted, 'kind' | 'what'>): string {
  return `${VERBS[kind]} ${what}`;
}
