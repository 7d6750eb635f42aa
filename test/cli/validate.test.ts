import { execFileSync } from 'node:child_process';
import { chmodSync, linkSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { baton, ROOT, runProgram } from './run-bin.js';

const PAYLOADS = path.join(ROOT, 'examples/payloads');
const ASSIGNMENT = path.join(PAYLOADS, 'assignment/document-minimal.json');
const RESULT = path.join(PAYLOADS, 'subagent-result/document-minimal.json');
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'baton-validate-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, content: string | Uint8Array): string {
  const where = path.join(folder, name);
  writeFileSync(where, content);
  return where;
}

function changed(source: string, change: (value: Record<string, unknown>) => void): string {
  const value = JSON.parse(readFileSync(source, 'utf8'));
  change(value);
  return JSON.stringify(value);
}

describe('a verdict on the command line', () => {
  test('is one object with allow, code and reason, and exit 0 only when allowed [R478, R479, R480, R482]', () => {
    const { code, out, err } = baton(['validate', 'assignment', ASSIGNMENT]);
    expect({ code, err, verdict: JSON.parse(out) }).toEqual({
      code: 0,
      err: '',
      verdict: { allow: true, code: 'OK', reason: 'the payload is valid' },
    });
  });

  test('is a refusal with details and exit 1 otherwise [R481, R483]', () => {
    const { code, out } = baton(['validate', 'assignment', '-'], { input: '{}' });
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({
      allow: false,
      code: 'MISSING_REQUIRED_INPUT',
      details: { contract: 'assignment' },
    });
  });

  test('reads standard input when no file is named', () => {
    expect(baton(['validate', 'assignment'], { input: readFileSync(ASSIGNMENT) }).code).toBe(0);
  });

  test.each([
    'assignment',
    'orchestrator-output',
    'subagent-result',
    'worklog-entry',
    'handoff-bundle',
    'ledger-delta',
    'locks',
    'reconcile',
    'watchdog',
    'plan',
  ])('comes from scripts/validate-%s too [R484]', (name) => {
    const script = path.join(ROOT, 'scripts', `validate-${name}`);
    const { code, out } = runProgram(script, ['-'], { input: '[1' });
    expect({ code, code_of: JSON.parse(out).code }).toEqual({ code: 1, code_of: 'SCHEMA_INVALID' });
  });
});

describe('input that cannot be judged is refused, never a stack trace', () => {
  const cases: [what: string, args: () => string[], code: string][] = [
    ['an empty file', () => ['assignment', file('empty.json', '')], 'MISSING_REQUIRED_INPUT'],
    ['binary', () => ['assignment', file('binary', Buffer.from([0, 255, 254, 1]))], 'SCHEMA_INVALID'],
    [
      'more than 2 MiB',
      () => ['assignment', file('huge.json', `"${'x'.repeat(2 * 1024 * 1024)}"`)],
      'PAYLOAD_TOO_LARGE',
    ],
    ['depth', () => ['assignment', file('deep.json', '['.repeat(100_000))], 'SCHEMA_INVALID'],
    ['duplicate keys', () => ['assignment', file('double.json', '{"a":1,"a":2}')], 'SCHEMA_INVALID'],
    ['a missing file', () => ['assignment', path.join(folder, 'nowhere.json')], 'INPUT_UNREADABLE'],
    ['a folder', () => ['assignment', folder], 'INPUT_UNREADABLE'],
    ['an endless device', () => ['assignment', '/dev/zero'], 'INPUT_UNREADABLE'],
    ['an unknown contract', () => ['asignment', ASSIGNMENT], 'MISSING_VALIDATOR'],
    ['a contract named like a part of every object', () => ['constructor', ASSIGNMENT], 'MISSING_VALIDATOR'],
  ];

  test.each(cases)('%s', (_, args, expected) => {
    const { code, out, err } = baton(['validate', ...args()]);
    expect({ code, err, verdict: JSON.parse(out).code, lines: out.split('\n').length }).toEqual({
      code: 1,
      err: '',
      verdict: expected,
      lines: 2,
    });
  });

  test('a file that may not be read', () => {
    const secret = file('secret.json', '{}');
    chmodSync(secret, 0o000);
    const asRoot = process.getuid?.() === 0;
    const expected = asRoot ? 'MISSING_REQUIRED_INPUT' : 'INPUT_UNREADABLE';
    expect(JSON.parse(baton(['validate', 'assignment', secret]).out).code).toBe(expected);
  });

  test('a pipe that says nothing is given up after a while', () => {
    const script = `sleep 5 | "${process.execPath}" "${path.join(ROOT, 'bin/baton.cjs')}" validate assignment -`;
    const { code, out } = runProgram('bash', ['-c', script], { env: { BATON_INPUT_SILENCE_MS: '50' } });
    expect({ code, verdict: JSON.parse(out).code }).toEqual({ code: 1, verdict: 'INPUT_TIMEOUT' });
  });

  test('a named pipe that nobody writes to does not hang', () => {
    const pipe = path.join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    expect(JSON.parse(baton(['validate', 'assignment', pipe]).out).code).toBe('MISSING_REQUIRED_INPUT');
  });

  test('a reader that goes away early is no error', () => {
    const many = Array.from({ length: 2000 }, () => '{}').join('\n');
    const list = file('many.jsonl', many);
    const script = `"${process.execPath}" "${path.join(ROOT, 'bin/baton.cjs')}" validate locks --lines "${list}" | head -1`;
    const { err } = runProgram('bash', ['-c', script]);
    expect(err).toBe('');
  });
});

describe('wrong usage exits 2', () => {
  test.each([
    [['validate'], /takes CONTRACT/],
    [['validate', 'assignment', ASSIGNMENT, '--strickt'], /no option --strickt.*--strict/s],
    [['validate', 'assignment', ASSIGNMENT, '--format', 'yaml'], /json, text, github, junit/],
    [['validate', 'locks', ASSIGNMENT, '--against', ASSIGNMENT], /--against has no meaning for locks/],
    [['validate', 'locks', ASSIGNMENT, '--workspace', '.'], /--workspace is for agent-response/],
    [['vaildate'], /Did you mean: validate/],
    [['schema', 'lst'], /Did you mean: schema list/],
  ])('%j', (args, message) => {
    const { code, err, out } = baton(args);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(message);
  });
});

describe('many payloads', () => {
  test('get one verdict a line with their file', () => {
    const bad = file('bad.json', '{}');
    const { code, out } = baton(['validate', 'assignment', ASSIGNMENT, bad]);
    const verdicts = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(code).toBe(1);
    expect(verdicts.map(({ allow, file: name }) => ({ allow, file: name }))).toEqual([
      { allow: true, file: ASSIGNMENT },
      { allow: false, file: bad },
    ]);
  });

  test('in lines get their line number; blank lines and a cut last line are refused [R448]', () => {
    const entry = readFileSync(path.join(PAYLOADS, 'worklog-entry/all-fields.json'), 'utf8').replace(/\n\s*/g, '');
    const { out } = baton(['validate', 'worklog-entry', '--lines'], { input: `${entry}\n\n${entry}\r\n{"timest` });
    const verdicts = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(verdicts.map(({ allow, code, line }) => ({ allow, code, line }))).toEqual([
      { allow: true, code: 'OK', line: 1 },
      { allow: false, code: 'MISSING_REQUIRED_INPUT', line: 2 },
      { allow: true, code: 'OK', line: 3 },
      { allow: false, code: 'SCHEMA_INVALID', line: 4 },
    ]);
  });

  test('an endless line is refused with bounded memory, and the next line is judged', () => {
    const { out } = baton(['validate', 'locks', '--lines'], { input: `"${'x'.repeat(5_000_000)}"\n{"locks":[]}` });
    const codes = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).code);
    expect(codes).toEqual(['PAYLOAD_TOO_LARGE', 'OK']);
  });

  test('github annotations escape what would end them', () => {
    const odd = file('a,b:c%.json', '{"schema_version":"2.0.0\\n::error::injected"}');
    const { out } = baton(['validate', 'worklog-entry', odd, '--format', 'github']);
    expect(out.trim().split('\n')).toHaveLength(1);
    expect(out).toMatch(/^::error file=[^,]*a%2Cb%3Ac%25\.json,line=1,title=MISSING_REQUIRED_INPUT::/);
  });

  test('junit escapes markup and counts failures', () => {
    const odd = file('<odd>&".json', '{}');
    const { out } = baton(['validate', 'assignment', ASSIGNMENT, odd, '--format', 'junit']);
    expect(out).toContain('tests="2" failures="1"');
    expect(out).toContain('&lt;odd&gt;&amp;&quot;.json');
  });

  test('text for people shows no control characters of the input', () => {
    const { out } = baton(['validate', 'pipeline', '-', '--format', 'text'], {
      input: '{"name":"\\u001b]52;c;x\\u0007","stages":[]}',
    });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these must not be there
    expect(out).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
  });
});

describe('--against', () => {
  const cases: [what: string, result: () => string, code: string][] = [
    ['the result of this assignment is allowed', () => readFileSync(RESULT, 'utf8'), 'OK'],
    [
      'a result of another task',
      () => changed(RESULT, (value) => Object.assign(value, { task_id: 'T-13' })),
      'NON_COMPLIANT',
    ],
    [
      'a criterion of its own choosing',
      () =>
        changed(RESULT, (value) =>
          Object.assign(value, { acceptance_check: [{ criterion: 'it compiles', status: 'pass', evidence: 'yes' }] }),
        ),
      'ACCEPTANCE_FAILED',
    ],
    [
      'a change outside the scope',
      () => changed(RESULT, (value) => Object.assign(value, { changes: [{ resource: 'docs/a.md', action: 'edit' }] })),
      'SCOPE_VIOLATION',
    ],
    [
      'a change in scope but for its case',
      () =>
        changed(RESULT, (value) =>
          Object.assign(value, { changes: [{ resource: 'tests/Test_API.py', action: 'edit' }] }),
        ),
      'SCOPE_VIOLATION',
    ],
  ];

  test.each(cases)('%s', (_, result, expected) => {
    const { out } = baton(['validate', 'subagent-result', '-', '--against', ASSIGNMENT], { input: result() });
    expect(JSON.parse(out).code).toBe(expected);
  });

  test('an invalid payload to compare with refuses everything', () => {
    const { code, out } = baton(['validate', 'subagent-result', RESULT, '--against', file('none.json', '{}')]);
    expect({ code, verdict: JSON.parse(out).code }).toEqual({ code: 1, verdict: 'MISSING_REQUIRED_INPUT' });
  });

  test('a bridge response must answer its request', () => {
    const request = path.join(PAYLOADS, 'agent-request/completed-request.json');
    const response = changed(path.join(PAYLOADS, 'bridge-response/document-error.json'), (value) =>
      Object.assign(value, { request_id: '550e8400-e29b-41d4-a716-446655440001' }),
    );
    const { out } = baton(['validate', 'bridge-response', '-', '--against', request], { input: response });
    expect(JSON.parse(out).code).toBe('VALIDATION_ERROR');
  });
});

describe('--workspace looks for evidence [R038, R103]', () => {
  function answer(evidence: string): string {
    return JSON.stringify({ action: 'COMPLETED', evidence_files: [evidence], summary_for_supervisor: 'Done.' });
  }

  beforeAll(() => {
    const workspace = path.join(folder, 'workspace');
    mkdirSync(path.join(workspace, 'src'), { recursive: true });
    writeFileSync(path.join(workspace, 'src/a.ts'), '');
    writeFileSync(path.join(folder, 'outside.txt'), '');
    symlinkSync('../outside.txt', path.join(workspace, 'link.txt'));
    symlinkSync('..', path.join(workspace, 'up'));
    symlinkSync('loop', path.join(workspace, 'loop'));
    linkSync(path.join(folder, 'outside.txt'), path.join(workspace, 'hard.txt'));
    execFileSync('mkfifo', [path.join(workspace, 'fifo')]);
  });

  test.each([
    ['src/a.ts', 'OK'],
    ['./src/a.ts', 'OK'],
    ['src/missing.ts', 'EVIDENCE_MISSING'],
    ['src', 'EVIDENCE_MISSING'],
    ['src/a.ts/b', 'EVIDENCE_MISSING'],
    ['link.txt', 'PATH_REFUSED'],
    ['up/outside.txt', 'PATH_REFUSED'],
    ['loop', 'PATH_REFUSED'],
    ['hard.txt', 'PATH_REFUSED'],
    ['fifo', 'PATH_REFUSED'],
    ['../outside.txt', 'PATH_REFUSED'],
    ['/etc/passwd', 'PATH_REFUSED'],
    ['.git/config', 'PATH_REFUSED'],
    ['~/x', 'PATH_REFUSED'],
    ['file:///etc/passwd', 'PATH_REFUSED'],
    ['src\\a.ts', 'PATH_REFUSED'],
    ['C:/x', 'PATH_REFUSED'],
    ['src/%2e%2e/x', 'PATH_REFUSED'],
    ['src/a.ts.', 'PATH_REFUSED'],
    ['', 'PATH_REFUSED'],
  ])('%j → %s', (evidence, expected) => {
    const { out } = baton(['validate', 'agent-response', '-', '--workspace', path.join(folder, 'workspace')], {
      input: answer(evidence),
    });
    expect(JSON.parse(out).code).toBe(expected);
  });
});
