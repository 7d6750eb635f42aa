import { runInNewContext } from 'node:vm';
import { BatonError } from '../../contracts/shared/errors.js';
import { nearest } from '../../core/kernel/edit-distance.js';
import { OWN_PATTERNS, type Placeholder, PROJECT_NAME } from '../generate/placeholders.js';
import type { Values } from '../generate/render-template.js';

const VALUE_LENGTH_MAX = 1000;
/** Long: a busy machine must not make a good pattern look bad. */
const PATTERN_TIMEOUT_MS = 2000;

/** What was set, else the default; a project is called like its folder unless somebody says otherwise. */
export function chooseValues(
  placeholders: readonly Placeholder[],
  set: ReadonlyMap<string, string>,
  folderName: string,
): Values {
  const names = placeholders.map(({ name }) => name);
  for (const name of set.keys()) if (!names.includes(name)) throw unknown(name, names);
  const values: Record<string, string> = {};
  for (const placeholder of placeholders) {
    const { name } = placeholder;
    const value = set.get(name) ?? (name === PROJECT_NAME ? folderName : placeholder.default);
    if (!fits(placeholder, value)) throw unfit(placeholder, value, set.has(name));
    values[name] = value;
  }
  return values;
}

export function defaultsOf(placeholders: readonly Placeholder[]): Values {
  return Object.fromEntries(placeholders.map(({ name, default: value }) => [name, value]));
}

/** A pattern comes with the template and is not trusted either: some never end. */
export function fits({ name, pattern }: Placeholder, value: string): boolean {
  if (value.length > VALUE_LENGTH_MAX) return false;
  if (OWN_PATTERNS.has(pattern)) return new RegExp(pattern, 'u').test(value);
  try {
    const script = 'new RegExp(pattern, "u").test(value)';
    return runInNewContext(script, { pattern, value }, { timeout: PATTERN_TIMEOUT_MS }) === true;
  } catch (failure) {
    const reason = `the pattern of the placeholder ${name} cannot be used: ${(failure as Error).message}`;
    throw new BatonError('TEMPLATE_INVALID', reason, { placeholder: name, file: 'manifest.json' });
  }
}

function unknown(name: string, names: readonly string[]): BatonError {
  const suggestion = nearest(name, names);
  const offer = suggestion ? ` Did you mean: ${suggestion}?` : ` It has: ${names.join(', ')}.`;
  return new BatonError('USAGE', `The template has nothing called ${name}.${offer}`, suggestion ? { suggestion } : {});
}

function unfit({ name, pattern }: Placeholder, value: string, given: boolean): BatonError {
  const from = given ? 'the value' : name === PROJECT_NAME ? 'the name of the folder' : 'the default';
  const reason = `${from} ${JSON.stringify(value.slice(0, 80))} does not fit ${name} (${pattern}); --set ${name}=…`;
  return new BatonError('USAGE', reason, { placeholder: name, pattern });
}
