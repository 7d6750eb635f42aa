import { badQuery } from './http-problem.js';

type Query = Readonly<Record<string, string>>;

export function countIn(query: Query, name: string, { min, max }: { min: number; max: number }): number | undefined {
  const text = query[name];
  if (text === undefined) return undefined;
  const number = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= min && number <= max) return number;
  throw badQuery(name, text);
}

/** Only what was said. */
export function textsIn<Name extends string>(query: Query, names: readonly Name[]): Partial<Record<Name, string>> {
  const said = names.flatMap((name) => (query[name] === undefined || query[name] === '' ? [] : [[name, query[name]]]));
  return Object.fromEntries(said);
}
