import { cpSync, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { BRIDGE_FILES } from '../../src/contracts/bridge/bridge-file-names.js';
import { readProfile } from '../../src/contracts/bridge/read-profile.js';
import { schemas } from '../../src/contracts/generated/validators/schemas.js';
import { newFolder } from '../bridge/played.js';
import { baton, ROOT } from '../cli/run-bin.js';

const PAGE = readFileSync(path.join(ROOT, 'docs/guides/bridge.md'), 'utf8');
const EXAMPLES = path.join(ROOT, 'examples/bridge');

type Request = { properties: Record<string, Limits>; required: string[] };
type Limits = { minimum?: number; maximum?: number; minLength?: number; default?: unknown };
const { properties: FIELDS, required: REQUIRED } = schemas['agent-request'] as Request;

test('the profile it shows is one', () => {
  const [json = ''] = [...PAGE.matchAll(/```json\n([\s\S]*?)```/g)].map(([, text]) => text);
  expect(readProfile(JSON.parse(json))).toMatchObject({ name: 'reviews' });
});

test('its table has every error_type of the contract', () => {
  const { properties } = schemas['bridge-response'] as { properties: { error_type: { enum: string[] } } };
  expect(rowsUnder('`error_type`').map(([name]) => name)).toEqual(properties.error_type.enum);
});

test('its table of the request has every field of the contract, in its order, with its limits', () => {
  const rows = rowsUnder('field');
  expect(rows.map(([name]) => name)).toEqual(Object.keys(FIELDS));
  for (const [name = '', need, says] of rows) {
    const { minimum, maximum, minLength, default: otherwise } = FIELDS[name] as Limits;
    const optional = otherwise === undefined ? '' : `default ${otherwise}`;
    expect([name, need]).toEqual([name, REQUIRED.includes(name) ? 'required' : optional]);
    if (maximum !== undefined) expect(says).toContain(`${minimum}–${maximum}`);
    if (minLength !== undefined) expect(says).toContain(`at least ${minLength} characters`);
  }
});

test('the first command of the examples runs with nothing installed, and leaves a result and none of the three files', () => {
  const folder = newFolder();
  const cwd = path.join(folder, 'bridge');
  cpSync(EXAMPLES, cwd, { recursive: true });
  const [, command = ''] = /```sh\n(baton .*)\n/.exec(readFileSync(path.join(EXAMPLES, 'README.md'), 'utf8')) ?? [];
  expect(command).toContain('scripted:answers.json');
  const env = { BATON_HOME: path.join(folder, 'home'), PYTHONDONTWRITEBYTECODE: '1' };
  const { code, err } = baton(command.split(' ').slice(1), { cwd, env });
  expect(code, err).toBe(0);
  const result = JSON.parse(readFileSync(path.join(cwd, 'result.json'), 'utf8'));
  expect(result).toEqual({
    language: 'Python',
    agent: expect.stringMatching(/^pytest-writer: /),
    enhanced: expect.stringContaining('Example: '),
  });
  expect(BRIDGE_FILES.filter((name) => existsSync(path.join(cwd, name)))).toEqual([]);
});

test('the same command of the first page names files that are there', () => {
  const page = readFileSync(path.join(ROOT, 'README.md'), 'utf8');
  const [, script = '', folder = '', program = ''] =
    /bridge run --agent scripted:(\S+) --dir (\S+) -- python3 (\S+)/.exec(page) ?? [];
  expect([script, path.join(folder, program)].map((file) => existsSync(path.join(ROOT, file)))).toEqual([true, true]);
  expect(readFileSync(path.join(ROOT, '.gitignore'), 'utf8')).toContain(`/${folder}/result.json`);
});

/** The cells of the table with this in its first heading, without the marks of code around the first. */
function rowsUnder(heading: string): string[][] {
  const [, table = ''] = PAGE.split(`\n| ${heading} |`);
  const lines = [...(table.split('\n\n')[0] ?? '').matchAll(/^\| `(\w+)` \|(.*)\|$/gm)];
  return lines.map(([, name = '', cells = '']) => [name, ...cells.split('|').map((cell) => cell.trim())]);
}
