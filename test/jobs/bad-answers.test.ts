import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { alive } from './alive.js';
import { ANSWERS, JobStage, prints } from './job-stage.js';

const LONG_MS = 180_000;
const TEXT = JSON.stringify(ANSWERS.completed);
/** A program that prints what JavaScript makes. */
const says = (code: string): string => `node -e '${code.replaceAll("'", "'\\''")}'`;
const writes = (expression: string): string => says(`process.stdout.write(${expression})`);

type Row = [what: string, script: string, cause: string | null, reason: RegExp | null];

/** What an agent may print, and what Baton makes of it. Null is SUCCESS. */
const ROWS: readonly Row[] = [
  ['nothing at all', 'true', 'schema', /holds no JSON object/],
  ['blanks', 'printf " \\n\\t "', 'schema', /holds no JSON object/],
  ['text around it', `echo Sure.\n${prints(ANSWERS.completed)}\necho Bye.`, null, null],
  ['two objects', `${prints(ANSWERS.completed)}\n${prints(ANSWERS.stuck)}`, 'schema', /more than one JSON object/],
  ['an object that ends too early', `printf '%s' '${TEXT.slice(0, -5)}'`, 'schema', /./],
  ['bad UTF-8', `printf '{"action":"COMPLETED\\377"}'`, 'crash', /not valid UTF-8/],
  ['a byte order mark', `printf '\\357\\273\\277'\n${prints(ANSWERS.completed)}`, null, null],
  ['a key twice', writes(`${JSON.stringify(TEXT)}.replace("{", '{"action":"STUCK",')`), 'schema', /twice|duplicate/i],
  ['__proto__', writes(`${JSON.stringify(TEXT)}.replace("{", '{"__proto__":{"x":1},')`), 'schema', /__proto__/],
  ['constructor', writes(`${JSON.stringify(TEXT)}.replace("{", '{"constructor":{"prototype":{}},')`), 'schema', /./],
  [
    'a depth of 5,000',
    writes(`${JSON.stringify(TEXT)}.replace("{", '{"x":' + "[".repeat(5000) + "]".repeat(5000) + ",")`),
    'schema',
    /deep|depth|levels/i,
  ],
  ['1e999', writes(`${JSON.stringify(TEXT)}.replace("{", '{"x":1e999,')`), 'schema', /1e999|number/i],
  ['NaN', writes(`${JSON.stringify(TEXT)}.replace("{", '{"x":NaN,')`), 'schema', /./],
  [
    'half of a surrogate pair',
    writes(`${JSON.stringify(TEXT)}.replace("{", '{"x":"\\\\ud800",')`),
    'schema',
    /surrogate|character/i,
  ],
  ['U+0000', writes(`${JSON.stringify(TEXT)}.replace("Done", "\\\\u0000")`), 'schema', /./],
  [
    '300,000 items',
    writes(
      `${JSON.stringify(TEXT)}.replace("[]", JSON.stringify(Array.from({ length: 300000 }, (_, i) => i.toString(36))))`,
    ),
    'schema',
    /300000 evidence files/,
  ],
  [
    '10,001 evidence files',
    writes(`${JSON.stringify(TEXT)}.replace("[]", JSON.stringify(Array.from({ length: 10001 }, (_, i) => "f" + i)))`),
    'schema',
    /10000/,
  ],
  ['a list instead of an object', `printf '%s' '[${TEXT}]'`, null, null],
  [
    '50 MB',
    says('const part = "x".repeat(1e6); for (let i = 0; i < 50; i++) process.stdout.write(part);'),
    'crash',
    /larger than \d+ bytes/,
  ],
];

describe('an answer with', { timeout: LONG_MS }, () => {
  test.each(ROWS)('%s [R116]', async (_, script, cause, reason) => {
    const stage = new JobStage();
    await stage.shell('agent', script);
    const before = stage.checkout();
    const run = await stage.json('run', 'Work', '--id', 'j', '--agent', 'agent');
    const last = (await stage.history('j')).at(-1);
    const notes = last?.x_attempt as { cause: string | null; reason: string | null };
    expect([run.printed.status, notes.cause]).toEqual([cause === null ? 'SUCCESS' : 'INTERVENTION_REQUIRED', cause]);
    if (reason) expect(`${notes.reason}`).toMatch(reason);
    if (reason) expect(`${run.printed.reason}`, 'and it is shown').toContain(notes.reason?.slice(0, 40));
    expect(stage.checkout()).toBe(before);
    const violations = (await stage.cli('events', '--run', 'j')).out.match(/protocol_violation/g) ?? [];
    if (cause === null) expect(violations).toHaveLength(1);
    expect((await stage.cli('job', 'replay', 'j')).code, 'the history is whole').toBe(0);
  });
});

test('the same 10,000 evidence files are in the history, and the next phase is told how many', {
  timeout: LONG_MS,
}, async () => {
  const stage = new JobStage();
  const count = 10_000;
  const files = `Array.from({ length: ${count} }, (_, i) => "many/" + i + ".txt")`;
  const work = `const fs = require("fs"); fs.mkdirSync("many"); const files = ${files}; for (const f of files) fs.writeFileSync(f, f);`;
  const answer = `JSON.stringify({ action: "COMPLETED", evidence_files: files, summary_for_supervisor: "Many." })`;
  await stage.shell('agent', says(`${work} process.stdout.write(${answer})`));
  await stage.shell('boss', `printf '%s' "$REQUEST" > ${stage.folder}/request.json\n${prints(ANSWERS.completed)}`);
  const run = await stage.json('run', 'Work', '--id', 'j', '--agent', 'agent', '--supervisor', 'boss');
  expect(run.printed.status).toBe('SUCCESS');
  const [worker] = await stage.history('j');
  expect(worker?.response.evidence_files).toHaveLength(count);
  const collected = (await stage.cli('events', '--run', 'j', '--json')).out;
  expect(collected).toMatch(/more of evidence/);
  const request = JSON.parse(readFileSync(path.join(stage.folder, 'request.json'), 'utf8'));
  expect([request.context_files.length, request.task_description]).toEqual([
    1_000,
    expect.stringContaining('Of 10000 files that were handed on the first 1000'),
  ]);
});

describe('an answer by hand', { timeout: LONG_MS }, () => {
  async function due(): Promise<JobStage> {
    const stage = new JobStage();
    await stage.scripted('agent', [{ answer: ANSWERS.completed }]);
    await stage.ok('job', 'create', 'Work', '--id', 'j', '--agent', 'agent', '--supervisor', 'agent', '--activate');
    return stage;
  }
  const post = (stage: JobStage, text: string | Buffer, ...more: string[]) => {
    writeFileSync(path.join(stage.repo, 'answer.json'), text);
    return stage.json('job', 'poststep', 'j', '--role', 'Worker', '--response-file', 'answer.json', ...more);
  };

  test('of a handoff that is over, or of another job, is refused and changes nothing', async () => {
    const stage = await due();
    expect((await post(stage, TEXT)).printed.status).toBe('REVIEWING');
    const events = (await stage.cli('events', '--run', 'j', '--json')).out;
    for (const handoff of ['h1', 'j/h1/1', 'k/h2/1', 'h9', '']) {
      const late = await post(stage, JSON.stringify(ANSWERS.stuck), '--handoff', handoff);
      expect([handoff, late.printed.code]).toEqual([handoff, 'NON_COMPLIANT']);
    }
    expect((await stage.cli('events', '--run', 'j', '--json')).out).toBe(events);
  });

  test.each<[what: string, text: string | Buffer]>([
    ['that is empty', ''],
    ['with text around it', `Here: ${TEXT}`],
    ['with two objects', `${TEXT}\n${TEXT}`],
    ['with a key twice', TEXT.replace('{', '{"action":"STUCK",')],
    ['with bad UTF-8', Buffer.concat([Buffer.from(TEXT.slice(0, -2)), Buffer.from([0xff]), Buffer.from('"}')])],
    ['of 3 MB', JSON.stringify({ ...ANSWERS.completed, x: 'x'.repeat(3e6) })],
  ])('%s calls a person', async (_, text) => {
    const stage = await due();
    const { printed } = await post(stage, text);
    expect([printed.status ?? printed.code]).toEqual([
      expect.stringMatching(/^(INTERVENTION_REQUIRED|PAYLOAD_TOO_LARGE|SCHEMA_INVALID)$/),
    ]);
    expect((await stage.cli('job', 'replay', 'j')).code).toBe(0);
  });
});

describe('an answer that comes too late', { timeout: LONG_MS }, () => {
  test('because somebody answered by hand is not heard, and its agent is ended', async () => {
    const stage = new JobStage();
    const late = `trap 'true' TERM\ntouch ${stage.folder}/began\nsleep 330.${process.pid}\n${prints(ANSWERS.stuck)}`;
    await stage.shell('agent', late);
    const running = stage.json('run', 'Work', '--id', 'j', '--agent', 'agent');
    await stage.until('began');
    stage.write('answer.json', TEXT);
    const post = ['job', 'poststep', 'j', '--role', 'Worker', '--response-file', 'answer.json', '--handoff', 'h1'];
    expect((await stage.json(...post)).exit).toBe(0);
    expect((await running).printed.status).toBe('SUCCESS');
    expect(alive(`330.${process.pid}`)).toEqual([]);
    expect((await stage.history('j')).map(({ response }) => response.action)).toEqual(['COMPLETED']);
    expect((await stage.cli('job', 'replay', 'j')).code).toBe(0);
  });

  test('because the job was canceled changes nothing', async () => {
    const stage = new JobStage();
    await stage.shell(
      'agent',
      `touch ${stage.folder}/began\ntrap '${`printf "%s" "$ANSWER"; exit 0`}' TERM\nANSWER='${TEXT}'\nwhile :; do sleep 0.05; done`,
    );
    const running = stage.json('run', 'Work', '--id', 'j', '--agent', 'agent');
    await stage.until('began');
    await stage.ok('job', 'cancel', 'j');
    expect((await running).printed.status).toBe('CANCELED');
    const types = ((await stage.json('events', '--run', 'j')).printed.items as { type: string }[]).map(
      ({ type }) => type,
    );
    expect([types.at(-1), types.includes('HandoffAnswered')]).toEqual(['JobCanceled', false]);
  });
});
