import { type Params, stop } from './tool.js';

const TEXT_LENGTH_MAX = 4_096;

type Kind = 'text' | 'count' | 'yes or no';
type Values = { text: string; count: number; 'yes or no': boolean };
type Wanted = Readonly<Record<string, Kind>>;
type Given<W extends Wanted> = { [Name in keyof W]?: Values[W[Name]] };

const FITS: { readonly [K in Kind]: (value: unknown) => boolean } = {
  text: (value) => typeof value === 'string' && value !== '' && value.length <= TEXT_LENGTH_MAX,
  count: (value) => Number.isSafeInteger(value) && Number(value) >= 1,
  'yes or no': (value) => typeof value === 'boolean',
};
const MEANT: { readonly [K in Kind]: string } = {
  text: `a text of 1 to ${TEXT_LENGTH_MAX} characters`,
  count: 'a whole number from 1',
  'yes or no': 'true or false',
};

/** What a step says, by what the tool understands. Null is the same as absent; an unknown name is a mistake. */
export function readParams<W extends Wanted>(params: Params, wanted: W): Given<W> {
  const given: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(params)) {
    const kind = Object.hasOwn(wanted, name) ? wanted[name] : undefined;
    if (kind === undefined) {
      const known = Object.keys(wanted).join(', ');
      stop('BadParams', `there is no parameter ${JSON.stringify(name.slice(0, 80))}; there are ${known}`);
    }
    if (value === null) continue;
    if (!FITS[kind](value)) stop('BadParams', `${name} must be ${MEANT[kind]}`);
    given[name] = value;
  }
  return given as Given<W>;
}

export function needed<T>(value: T | undefined, name: string): T {
  return value ?? stop('BadParams', `${name} is missing`);
}
