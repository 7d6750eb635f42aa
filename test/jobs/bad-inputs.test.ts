import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { JobStage } from './job-stage.js';

const LONG_MS = 180_000;

/** Files as nobody writes them by accident; `inside` is one that would be good. */
const ATTACKS: readonly [what: string, make: (inside: string) => string | Buffer][] = [
  ['nothing', () => ''],
  ['no JSON', () => 'hello'],
  ['two objects', (inside) => `${inside}\n${inside}`],
  ['a list of nothing', () => '[]'],
  ['null', () => 'null'],
  ['a key twice', (inside) => inside.replace('{', '{"name":"a","name":"b",')],
  ['__proto__', (inside) => inside.replace('{', '{"__proto__":{"polluted":true},')],
  ['constructor', (inside) => inside.replace('{', '{"constructor":{"prototype":{"polluted":true}},')],
  ['a depth of 10,000', (inside) => inside.replace('{', `{"x":${'['.repeat(10_000)}${']'.repeat(10_000)},`)],
  ['1e999', (inside) => inside.replace('{', '{"x_n":1e999,')],
  ['NaN', (inside) => inside.replace('{', '{"x_n":NaN,')],
  ['half of a surrogate pair', (inside) => inside.replace('{', '{"x_n":"\\ud800",')],
  ['bad UTF-8', (inside) => Buffer.concat([Buffer.from(inside.slice(0, -1)), Buffer.from([0xff]), Buffer.from('}')])],
  ['a byte order mark', (inside) => `\ufeff${inside}`],
];

const CODES = /^(SCHEMA_INVALID|MISSING_REQUIRED_INPUT)$/;
const PHASES = '[{"name":"a","role":"Worker","agent":"agent"}]';
const PROJECT = '{"agent":"agent"}';

describe('a file that is not what it should be is refused with a code:', { timeout: LONG_MS }, () => {
  const use: readonly [what: string, good: string, argv: (file: string) => string[], codes: RegExp][] = [
    ['--phases', PHASES, (file) => ['run', 'Work', '--agent', 'agent', '--phases', file], CODES],
    ['baton.json', PROJECT, () => ['run', 'Work', '--agent', 'agent', '--dry-run'], /^CONFIG_INVALID$/],
    ['job import', '{"job_id":"x"}', (file) => ['job', 'import', file], CODES],
    ['job replay', '{"job_id":"x"}', (file) => ['job', 'replay', file], CODES],
  ];

  test.each(use)('%s', async (used, good, argv, codes) => {
    const stage = new JobStage();
    await stage.scripted('agent', []);
    const file = used === 'baton.json' ? path.join(stage.repo, used) : path.join(stage.folder, 'file.json');
    for (const [what, make] of ATTACKS) {
      if (used === 'job replay' && what === 'a list of nothing') continue; // a history of nothing is one
      writeFileSync(file, make(good));
      const { exit, printed } = await stage.json(...argv(file));
      expect([what, exit, String(printed.code)]).toEqual([what, expect.any(Number), expect.stringMatching(codes)]);
      expect(exit, what).not.toBe(0);
      expect(String(printed.hint).length, what).toBeGreaterThan(10);
    }
    expect(({} as { polluted?: boolean }).polluted).toBe(undefined);
    expect((await stage.json('job', 'list')).printed.items).toEqual([]);
  });

  test('a pipe that nobody writes to is not waited for', async () => {
    const stage = new JobStage();
    await stage.scripted('agent', []);
    const file = path.join(stage.repo, 'baton.json');
    execFileSync('mkfifo', [file]);
    expect((await stage.json('run', 'Work', '--agent', 'agent', '--dry-run')).printed.code).toBe('CONFIG_INVALID');
    const pipe = path.join(stage.folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    rmSync(file);
    const uses = [
      ['run', '--agent', 'agent', '--file', pipe],
      ['run', 'x', '--agent', 'agent', '--phases', pipe],
      ['job', 'import', pipe],
    ];
    for (const argv of uses) {
      const { exit } = await stage.json(...argv);
      expect([argv[0], exit === 0]).toEqual([argv[0], false]);
    }
  });

  test.each<[what: string, phases: unknown]>([
    [
      'a name twice',
      [
        { name: 'a', role: 'Worker', agent: 'human' },
        { name: 'a', role: 'Worker', agent: 'human' },
      ],
    ],
    ['a retry target that is none', [{ name: 'a', role: 'Worker', agent: 'human', on_retry: 'nowhere' }]],
    ['a retry target that is a number', [{ name: 'a', role: 'Worker', agent: 'human', on_retry: 5 }]],
    ['checks that are a number', [{ name: 'a', role: 'Worker', agent: 'human', checks: 5 }]],
    ['instructions that are an object', [{ name: 'a', role: 'Worker', agent: 'human', instructions: {} }]],
    ['a name with a line break', [{ name: 'a\nb', role: 'Worker', agent: 'human' }]],
    [
      'ten thousand phases',
      Array.from({ length: 10_000 }, (_, index) => ({ name: `p${index}`, role: 'Worker', agent: 'human' })),
    ],
  ])('phases with %s', async (_, phases) => {
    const stage = new JobStage();
    await stage.scripted('agent', []);
    const file = path.join(stage.folder, 'phases.json');
    writeFileSync(file, JSON.stringify(phases));
    const { exit, printed } = await stage.json(
      'job',
      'create',
      'Work',
      '--id',
      'j',
      '--agent',
      'agent',
      '--phases',
      file,
    );
    expect([exit === 0, String(printed.code)]).toEqual([
      false,
      expect.stringMatching(/^(SCHEMA_INVALID|PAYLOAD_TOO_LARGE|USAGE)$/),
    ]);
  });
});

describe('what no job can be made of is refused before one is made, shown or real:', { timeout: LONG_MS }, () => {
  test.each<[option: string[], code: string]>([
    [['--after', 'nope'], 'RUN_NOT_FOUND'],
    [['--id', 'a/b'], 'SCHEMA_INVALID'],
    [['--id', 'LAST'], 'ID_TAKEN'],
    [['--id', 'there'], 'ID_TAKEN'],
    [['--lock', '../x'], 'PATH_REFUSED'],
    [['--project', ' '], 'SCHEMA_INVALID'],
    [['--repo', '/nonexistent'], 'INPUT_UNREADABLE'],
    [['--repo', '/dev/null'], 'INPUT_UNREADABLE'],
  ])('%j', async (option, code) => {
    const stage = new JobStage();
    await stage.scripted('agent', []);
    await stage.ok('job', 'create', 'Work', '--id', 'there', '--agent', 'agent');
    for (const how of [
      ['run', '--dry-run'],
      ['run', '-d'],
      ['job', 'create'],
    ]) {
      const { exit, printed } = await stage.json(...how, 'Work', '--agent', 'agent', ...option);
      expect([how, exit, printed.code]).toEqual([how, 1, code]);
    }
    expect((await stage.json('job', 'list')).printed.items).toHaveLength(1);
  });

  test('a beginning of the id is enough to be waited for', async () => {
    const stage = new JobStage();
    await stage.scripted('agent', []);
    await stage.ok('job', 'create', 'Work', '--id', 'there', '--agent', 'agent');
    const shown = await stage.json('run', '--dry-run', 'Work', '--agent', 'agent', '--after', 'the');
    expect(shown.printed.after).toEqual(['there']);
  });
});
