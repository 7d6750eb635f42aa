import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { COMMANDS } from '../../src/cli/catalogue.js';
import { CONTRACTS } from '../../src/contracts/catalogue.js';
import { CONTRACT_NAMES } from '../../src/contracts/contract-names.js';
import { fullCommands } from '../../src/main.js';
import { baton, ROOT } from './run-bin.js';

const QUICK = [
  ...['validate', 'schema list', 'schema show', 'version', 'help'],
  ...['create', 'can-continue', 'result', 'validate'].map((verb) => `envelope ${verb}`),
];

describe('an error of a command in the full tier', () => {
  const env = { BATON_HOME: mkdtempSync(path.join(tmpdir(), 'baton-basics-')) };
  const folder = mkdtempSync(path.join(tmpdir(), 'baton-basics-'));
  afterAll(() => {
    rmSync(env.BATON_HOME, { recursive: true });
    rmSync(folder, { recursive: true });
  });

  test('is a refusal with its code and hint, not a bug', () => {
    expect(baton(['init'], { env, cwd: folder }).code).toBe(0);
    const again = baton(['init'], { env, cwd: folder });
    expect(again.code).toBe(1);
    expect(again.err).toMatch(/^Refused: .*baton\.json.* FILE_EXISTS\n {2}.*--force/);
  });

  test.each<[argv: string[], said: string]>([
    [['budget', 'set', 'abc'], 'baton budget set takes dollars, such as 20, or none, not "abc"'],
    [['job', 'show', 'LAST'], 'there is no job about the repository around'],
  ])('%j names only what there is', (argv, said) => {
    expect(baton(argv, { env, cwd: folder }).err).toContain(said);
  });

  test('is told with a way out that the command has', () => {
    expect(baton(['agent', 'register', 'a', '--adapter', 'human'], { env, cwd: folder }).code).toBe(0);
    const { err } = baton(['store', 'backup', folder], { env, cwd: folder });
    expect(err).toMatch(/FILE_EXISTS\n {2}Name another place, or move away what is there\.\n/);
  });

  test('is wrong usage where it is wrong usage, as an object with --json', () => {
    const { code, out, err } = baton(['config', 'set', 'limits.cost', '5', '--json'], { env });
    expect({ code, err }).toEqual({ code: 2, err: '' });
    expect(JSON.parse(out)).toMatchObject({
      allow: false,
      code: 'USAGE',
      reason: expect.stringContaining('limits.cost_usd'),
    });
  });
});

describe('a hint that is followed', () => {
  test.each([[['job', '--help']], [['job', '-h']], [['help', 'job']]])('%j lists the commands of job', (argv) => {
    const { code, out, err } = baton(argv);
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(/^baton job COMMAND\n/);
    expect(out).toMatch(/\n {2}job raise +Give a job higher limits\n/);
    expect(out).not.toContain('operator run');
  });

  test.each<[argv: string[], said: string]>([
    [['jbo', 'list'], 'Unknown command: jbo list. Did you mean: job list?\n  List all commands: baton help\n'],
    [['jbo'], 'Unknown command: jbo. Did you mean: job --help?\n  List all commands: baton help\n'],
    [['job', 'lst'], 'Unknown command: job lst. Did you mean: job list?\n  List its commands: baton job --help\n'],
    [['job', 'xyzzy'], 'Unknown command: job xyzzy.\n  List its commands: baton job --help\n'],
    [['job'], 'baton job takes a command of its own.\n  List its commands: baton job --help\n'],
  ])('%j says which', (argv, said) => {
    expect(baton(argv)).toMatchObject({ code: 2, err: said });
  });

  test('a status that there is not is refused', () => {
    const { code, err } = baton(['job', 'list', '--status', 'BOGUS']);
    expect(code).toBe(2);
    expect(err).toMatch(/^--status takes DRAFT, PENDING, .*, not "BOGUS"\n/);
  });
});

describe('the command line', () => {
  test('prints its version', () => {
    const { version } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'));
    expect(JSON.parse(baton(['version', '--json']).out)).toEqual({ version });
    expect(baton(['--version']).out).toBe(`baton ${version}\n`);
  });

  test('runs every command it lists, in one tier or the other', () => {
    expect(COMMANDS.map(({ name }) => name).sort()).toEqual([...QUICK, ...Object.keys(fullCommands)].sort());
  });

  test.each(COMMANDS.map(({ name }) => name))('explains %s with examples that begin with a command', (name) => {
    const { code, out } = baton([...name.split(' '), '--help']);
    expect(code).toBe(0);
    expect(out).toMatch(/^baton /);
    expect(out).toMatch(/Examples\n {2}.*baton /);
    expect(Math.max(...out.split('\n').map((line) => line.length))).toBeLessThanOrEqual(100);
  });

  test('knows the same contracts everywhere', () => {
    const index = JSON.parse(readFileSync(path.join(ROOT, 'schemas/index.json'), 'utf8')).schemas;
    expect(Object.keys(CONTRACTS)).toEqual(CONTRACT_NAMES);
    expect(index.map(({ name }: { name: string }) => name)).toEqual(CONTRACT_NAMES);
    expect(JSON.parse(baton(['schema', 'list', '--json']).out).items.map(({ name }: { name: string }) => name)).toEqual(
      CONTRACT_NAMES,
    );
  });

  test('shows a schema byte for byte', () => {
    expect(baton(['schema', 'show', 'agent-response']).out).toBe(
      readFileSync(path.join(ROOT, 'schemas/llm-chat-schema.json'), 'utf8'),
    );
  });

  test('refuses an unknown schema with a suggestion, as an object with --json', () => {
    const { code, out } = baton(['schema', 'show', 'asignment', '--json']);
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({ allow: false, code: 'MISSING_VALIDATOR', hint: expect.any(String) });
  });
});
