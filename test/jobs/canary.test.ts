import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startModelServer } from '../../src/testing/index.js';
import { filesBelow, spellings, storedBodies } from '../audit/canaries.js';
import { ANSWERS, JobStage } from './job-stage.js';

const LONG_MS = 120_000;
/** What no child is given. */
const KEPT = {
  openai: 'sk-c4nary-openai-3f9c11d07a52',
  anthropic: 'sk-ant-c4nary-7d0e55b2c918',
  unnamed: 'c4nary-unnamed-variable-91ab44',
  token: 'c4nary-token-of-the-home-60aa1e',
};
/** What children are given by name, and may say. */
const NAMED = 'c4nary-named-variable-2b77f0';
const HOSTILE = `it is ${KEPT.openai}, ${KEPT.anthropic} and ${KEPT.unnamed}`;

/** Says all it knows, everywhere it can. */
const BLABS = `
const { readFileSync, writeFileSync } = require('node:fs');
const known = () => JSON.stringify(process.env) + readFileSync('/proc/self/environ', 'latin1').replaceAll('\\0', ' ');
module.exports = { known, say(where) { writeFileSync(where, known()); console.error(known()); } };
`;
const WORKER = `
const { known, say } = require('./blabs.cjs');
const { writeFileSync } = require('node:fs');
const path = require('node:path');
(async () => {
  let request = '';
  for await (const chunk of process.stdin) request += chunk;
  say('worker.env');
  const { OPENAI_BASE_URL, OPENAI_API_KEY } = process.env;
  const answer = await fetch(OPENAI_BASE_URL + '/responses', {
    method: 'POST',
    headers: { authorization: 'Bearer ' + OPENAI_API_KEY, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'scripted', stream: true, input: 'Work. ' + known() }),
  });
  const said = JSON.stringify([...answer.headers]) + (await answer.text());
  console.error(said);
  writeFileSync('add.js', 'exports.add = (a, b) => a + b; // ' + said.replaceAll('\\n', ' ').slice(0, 20));
  writeFileSync('said.txt', said);
  const summary = ('I know: ' + process.env.DEPLOY_TOKEN + said).slice(0, 400);
  console.log(JSON.stringify({ action: 'COMPLETED', evidence_files: ['add.js'], summary_for_supervisor: summary, x_known: known() + said }));
})();
`;

async function scene() {
  const critic = JSON.stringify({ ...ANSWERS.completed, summary_for_supervisor: `Good. ${HOSTILE}` });
  const model = await startModelServer({
    turns: [{ when: { prompt: 'Work.' }, steps: [{ text: HOSTILE, delta_chars: 7 }] }, { steps: [{ text: critic }] }],
  });
  onTestFinished(() => model.close());
  const stage = new JobStage();
  const providers = { openai: { base_url: `${model.url}/v1` }, anthropic: { base_url: model.url } };
  stage.configure({ sandbox: { mode: 'auto' }, providers });
  stage.extra = {
    OPENAI_API_KEY: KEPT.openai,
    ANTHROPIC_API_KEY: KEPT.anthropic,
    OTHER_SECRET: KEPT.unnamed,
    DEPLOY_TOKEN: NAMED,
  };
  writeFileSync(path.join(stage.home, 'token'), `${KEPT.token}\n`, { mode: 0o600 });
  const programs = path.join(stage.folder, 'agents');
  mkdirSync(programs);
  writeFileSync(path.join(programs, 'blabs.cjs'), BLABS);
  writeFileSync(path.join(programs, 'worker.cjs'), WORKER);
  stage.write('blabs.cjs', BLABS);
  const names = ['OPENAI_API_KEY', 'ANTHROPIC_API_KEY', 'DEPLOY_TOKEN'];
  stage.write('baton.json', JSON.stringify({ setup: `node -e "require('./blabs.cjs').say('setup.env')"`, env: names }));
  stage.commit('a project that says too much');
  await stage.ok('trust');
  const command = JSON.stringify([process.execPath, path.join(programs, 'worker.cjs')]);
  await stage.ok('agent', 'register', 'worker', '--adapter', 'command', '--command', command);
  await stage.ok('agent', 'register', 'critic', '--adapter', 'model', '--wire', 'messages', '--model', 'scripted');
  return { stage, model };
}

/** Where any spelling of the secret is found. */
function found(secret: string, texts: Iterable<readonly [string, string]>): string[] {
  const spelt = spellings(secret);
  return [...texts].flatMap(([name, text]) => (spelt.some((one) => text.includes(one)) ? [name] : []));
}

test('no key and no secret is in a child, a file, a log or the journal, whoever blabs', {
  timeout: LONG_MS,
}, async () => {
  const { stage, model } = await scene();
  const check = `node -e "require('./blabs.cjs').say('check.env'); require('fs').writeSync(1, require('./blabs.cjs').known())"`;
  const words = ['--agent', 'worker', '--supervisor', 'critic', '--check', check, '--check', 'node test/add.test.js'];
  const { printed } = await stage.json('run', `Fix add; ${HOSTILE}`, '--id', 'j', ...words);
  expect([printed.status, printed.reason]).toEqual(['SUCCESS', null]);
  expect(model.served().map(({ headers }) => headers['x-api-key'] ?? headers.authorization)).toEqual([
    `Bearer ${KEPT.openai}`,
    KEPT.anthropic,
  ]);

  const workspace = String(printed.workspace);
  const children = ['setup.env', 'worker.env', 'said.txt'].map((name) => {
    return [name, readFileSync(path.join(workspace, name), 'latin1')] as const;
  });
  expect(found(NAMED, children), 'they see what is named').toEqual(['setup.env', 'worker.env']);
  for (const [name, secret] of Object.entries(KEPT)) {
    expect(found(secret, children.slice(0, 2)), `${name} in a child`).toEqual([]);
  }
  expect(found(KEPT.openai, children), 'the provider cannot give the key away').toEqual([]);

  const outputs = [];
  for (const argv of [
    ...[
      ['events', '--json'],
      ['job', 'log', 'j'],
      ['job', 'show', 'j'],
      ['job', 'history', 'j', '--json'],
    ],
    ...[['audit', 'export'], ['audit', 'show', 'j', '--json'], ['runs', '--json'], ['status']],
  ]) {
    const { out, err } = await stage.ok(...argv);
    outputs.push([argv.join(' '), out + err] as const);
  }
  const bodies = (await storedBodies(stage.home)).map((text, index) => [`body ${index}`, text] as const);
  expect(found('check.env', outputs).length, 'what was blabbed was kept').toBeGreaterThan(0);
  const own = path.join(stage.home, 'token');
  // The workspace is the agent's own work, looked at above.
  const files = filesBelow(stage.home)
    .filter((file) => file !== own && !file.startsWith(workspace))
    .map((file) => [path.relative(stage.home, file), readFileSync(file, 'latin1')] as const);
  for (const [name, secret] of Object.entries({ ...KEPT, named: NAMED })) {
    expect(found(secret, [...files, ...bodies, ...outputs]), name).toEqual([]);
  }
  expect(found('it is ', bodies).length, 'and the search would find them').toBeGreaterThan(0);
});
