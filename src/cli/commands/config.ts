import type { ConfigFile } from '../../contracts/generated/types/config.js';
import { SAFE_LIMITS } from '../../engine/job/job-options.js';
import { changeConfig, configFile, readConfig } from '../../settings/config-file.js';
import { CONFIG_KEYS, type ConfigKey } from '../../settings/config-keys.js';
import { findKey, parseValue, valueAt, withValue } from '../../settings/config-value.js';
import { homeFolder, tilde, userFolder } from '../../settings/home.js';
import type { RunCommand } from '../command.js';
import { printable } from '../printable.js';
import { wrapText } from '../wrap-text.js';

type Setting = { key: string; value: unknown; source: 'file' | 'default' | 'unset' };

export const runConfigList: RunCommand = async ({ values }, io) => {
  const home = homeFolder(io);
  const file = configFile(home);
  const config = await readConfig(home);
  const items = CONFIG_KEYS.map((key) => ({ ...key, ...setting(config, key) }));
  if (values.json) io.out(`${JSON.stringify({ file, items })}\n`);
  else {
    const lines = [
      tilde(file, userFolder(io.env)),
      ...items.flatMap(listLines),
      'Change one: baton config set KEY VALUE',
    ];
    io.out(`${lines.join('\n')}\n`);
  }
  return 0;
};

export const runConfigGet: RunCommand = async ({ positionals: [name = ''], values }, io) => {
  const key = findKey(name);
  const found = setting(await readConfig(homeFolder(io)), key);
  if (values.json) io.out(`${JSON.stringify(found)}\n`);
  else if (found.source === 'unset') io.err(`${key.key} is not set. Set it: baton config set ${key.key} VALUE\n`);
  else io.out(`${shown(found.value)}\n`);
  return 0;
};

export const runConfigSet: RunCommand = async ({ positionals: [name = '', text = ''], values }, io) => {
  const key = findKey(name);
  const value = parseValue(key, text);
  const after = await changeConfig(homeFolder(io), (before) => withValue(before, key.key, value));
  const now = setting(after, key);
  io.out(values.json ? `${JSON.stringify(now)}\n` : `${key.key} = ${shown(now.value)}\n`);
  return 0;
};

/** What jobs of the command line have when nothing is set; it is no default of the file, which may leave limits out. */
const LIMITS: Readonly<Record<string, unknown>> = Object.fromEntries(
  Object.entries(SAFE_LIMITS).map(([name, limit]) => [`limits.${name}`, limit]),
);

function setting(config: ConfigFile, { key, default: given }: ConfigKey): Setting {
  const value = valueAt(config, key);
  const fallback = given ?? LIMITS[key];
  if (value !== undefined) return { key, value, source: 'file' };
  return fallback === undefined ? { key, value: null, source: 'unset' } : { key, value: fallback, source: 'default' };
}

const KEY_WIDTH = Math.max(...CONFIG_KEYS.map(({ key }) => key.length));
const VALUE_WIDTH = 16;
const COLUMNS_MAX = 80;

function listLines({ key, value, source, description }: ConfigKey & Setting): string[] {
  const word = source === 'unset' ? '-' : `${shown(value)}${source === 'default' ? ' (default)' : ''}`;
  const left = `  ${key.padEnd(KEY_WIDTH)}  ${word.padEnd(VALUE_WIDTH)}`;
  const indent = KEY_WIDTH + VALUE_WIDTH + 6;
  const [first = '', ...rest] = wrapText(description, COLUMNS_MAX - indent);
  const fits = word.length <= VALUE_WIDTH;
  const below = (fits ? rest : [first, ...rest]).map((line) => ' '.repeat(indent) + line);
  return [fits ? `${left}  ${first}` : left.slice(0, COLUMNS_MAX), ...below];
}

function shown(value: unknown): string {
  return printable(typeof value === 'string' ? value : JSON.stringify(value));
}
