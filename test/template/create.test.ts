import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { createTemplate, type TemplateOrder } from '../../src/template/generate/create-template.js';
import { MockAgentInvoker } from '../../src/testing/mock-agent-invoker.js';
import { baton, ROOT } from '../cli/run-bin.js';
import { LEDGER_BOOK, ORDER_SERVICE } from './kit/projects.js';
import { runNodeTests, runPythonTests } from './kit/run-project-tests.js';
import { readFiles, temporaryFolder, writeFiles } from './kit/write-files.js';

const BRIDGE_FILES = ['.agent-request.json', '.agent-response.json', '.template-create-state.json'];

function given(files: Readonly<Record<string, string>> = ORDER_SERVICE) {
  const folder = temporaryFolder();
  const project = writeFiles(path.join(folder, 'source'), files);
  const home = path.join(folder, 'home');
  return { folder, project, home, output: path.join(home, 'templates/made') };
}

const ENV_LEFT_OUT = 'left out, since they may hold a secret: .env';

type Given = ReturnType<typeof given>;

function create({ project, home }: Given, ...args: string[]) {
  return baton(['template', 'create', '--path', project, '--name', 'made', ...args], { env: { BATON_HOME: home } });
}

function apply({ folder, home }: Given, ...args: string[]) {
  const ran = baton(['template', 'apply', 'made', '--to', path.join(folder, 'other'), ...args], {
    env: { BATON_HOME: home },
  });
  return { ...ran, made: path.join(folder, 'other') };
}

async function createHere(place: Given, more: Partial<TemplateOrder>) {
  const made = await createTemplate({
    dir: place.project,
    project: place.project,
    name: 'made',
    defaultOutput: () => place.output,
    resume: false,
    agents: true,
    dryRun: false,
    scrub: (text) => text,
    ...more,
  });
  if ('checkpoint' in made) throw new Error(`waits at ${made.checkpoint.phase}`);
  return made;
}

describe('a template of a real project, made without agents', () => {
  test('in TypeScript: a project under another name passes its own tests', () => {
    const place = given();
    expect(runNodeTests(writeFiles(path.join(place.folder, 'before'), ORDER_SERVICE)).code).toBe(0);
    const { code, out, err } = create(place, '--no-agents', '--json');
    expect({ code, out, err }).toMatchObject({ code: 0 });
    expect(err.trim().split('\n')).toHaveLength(9);
    expect(JSON.parse(out)).toMatchObject({
      name: 'made',
      output: place.output,
      resumed_at: null,
      files: 9,
      placeholders: ['project_name', 'description', 'author', 'version'],
    });
    const { made, ...applied } = apply(place, '--set', 'project_name=Billing Desk', '--set', 'author=Grace Hopper');
    expect(applied).toMatchObject({ code: 0, err: '' });
    const files = readFiles(made);
    expect(Object.keys(files)).toContain('src/services/billing-desk.ts');
    expect(files['package.json']).toContain('"name": "@acme/billing-desk"');
    expect(files.LICENSE).toContain('Grace Hopper');
    expect(files['README.md']).toContain('{{baton.project_name.snake}} or {{ other }}');
    expect(JSON.stringify(files)).not.toMatch(/order.?service/i);
    expect(runNodeTests(made)).toMatchObject({ code: 0 });
  });

  test('in Python, likewise, and for a name of one word', () => {
    const place = given(LEDGER_BOOK);
    expect(runPythonTests(writeFiles(path.join(place.folder, 'before'), LEDGER_BOOK)).code).toBe(0);
    expect(create(place, '--no-agents').code).toBe(0);
    const { made, code } = apply(place, '--set', 'project_name=tally', '--set', 'version=0.0.1');
    expect(code).toBe(0);
    const files = readFiles(made);
    expect(Object.keys(files)).toContain('tally/services/balance.py');
    expect(files['pyproject.toml']).toContain('name = "tally"\nversion = "0.0.1"');
    expect(JSON.stringify(files)).not.toMatch(/ledger.?book/i);
    expect(runPythonTests(made)).toMatchObject({ code: 0 });
  });

  test('called by one word: with several words it is still one identifier everywhere', () => {
    const oneWord = (text: string) =>
      text.replaceAll(/ledger[-_]book/g, 'tallybook').replaceAll(/Ledger ?Book/g, 'Tallybook');
    const files = Object.entries(LEDGER_BOOK).map(([name, text]) => [oneWord(name), oneWord(text)]);
    const place = given(Object.fromEntries(files));
    expect(create(place, '--no-agents').code).toBe(0);
    const { made, code } = apply(place, '--set', 'project_name=billing desk');
    expect(code).toBe(0);
    expect(Object.keys(readFiles(made))).toContain('billing_desk/cli.py');
    expect(JSON.stringify(readFiles(made))).not.toMatch(/tallybook/i);
    expect(runPythonTests(made)).toMatchObject({ code: 0 });
  });

  test('of Baton itself is bounded, and comes out of it as it was', () => {
    const place = { ...given(), project: ROOT };
    const { code, out } = create(place, '--no-agents', '--json');
    expect(code).toBe(0);
    const { files, phases } = JSON.parse(out);
    expect(files).toBeGreaterThan(100);
    expect(files).toBeLessThanOrEqual(400);
    expect(phases.at(-1)).toMatchObject({ phase: 9, phase_name: 'validation', by: 'baton' });
    expect(BRIDGE_FILES.filter((file) => existsSync(path.join(ROOT, file)))).toEqual([]);
  });

  test('holds no secret, and says what it left out', () => {
    const key = `ghp_${'a1B2c3D4e5'.repeat(4)}`;
    const place = given({
      ...ORDER_SERVICE,
      'src/key.ts': `export const KEY = '${key}';\n`,
      'src/secret_settings.py': 'password = "hunter2hunter2hunter2"\n',
      'deploy/server.pem': 'a certificate',
      'config/live.yaml': 'database:\n  password: correcthorsebattery\n',
      'config/test.yaml': 'database:\n  password: $DB_PASSWORD\n',
    });
    const { code, out } = create(place, '--no-agents', '--json');
    expect(code).toBe(0);
    expect(JSON.parse(out).warnings).toEqual([
      expect.stringContaining('.env, config/live.yaml, deploy/server.pem, src/key.ts, src/secret_settings.py'),
    ]);
    const made = readFiles(place.output);
    expect(Object.keys(made).filter((name) => /\.env|key\.ts|live|settings\.py|pem/.test(name))).toEqual([]);
    expect(Object.keys(made)).toContain('templates/config/test.yaml');
    expect(JSON.stringify(made)).not.toMatch(/ghp_|hunter2|correcthorse|0f9e8d7c/);
  });

  test('of one file is told in the singular', () => {
    const { code, out, err } = create(given({ 'main.py': 'print(1)\n' }), '--no-agents');
    expect(code).toBe(0);
    expect(err).toMatch(/codebase analysis +1 file, Python/);
    expect(out).toMatch(/: 1 file, /);
    expect(err + out).not.toMatch(/\b1 (?:files|layers|patterns|agents)\b/);
  });

  test('keeps bytes that are no text, and what may be executed', () => {
    const picture = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 255, 254, 1]);
    const latin = new Uint8Array([0x63, 0xe9, 0x0a]);
    const place = given();
    writeFiles(place.project, { 'src/logo.png': picture, 'notes.txt': latin });
    expect(create(place, '--no-agents').code).toBe(0);
    expect(readdirSync(path.join(place.output, 'templates'))).toContain('notes.txt');
    expect(existsSync(path.join(place.output, 'templates/src/logo.png'))).toBe(true);
  });
});

describe('phases with agents', () => {
  const ANALYSIS = {
    technology_stack: { primary_language: 'TypeScript', framework: 'Plain Node', confidence: 0.95 },
    architecture: { patterns: ['Repository'], confidence: 0.9 },
    overall_confidence: 0.92,
  };

  type Scripted = object | string | Error | ((prompt: string) => object);

  /** Answers each phase by itself: two of them ask the same agent. */
  function scripted(answers: Record<number, Scripted>) {
    const mock = new MockAgentInvoker();
    return {
      mock,
      invoke: (agent: string, prompt: string, timeout: number, options: Record<string, unknown>) => {
        const script = answers[options.phase as number];
        if (script instanceof Error) throw script;
        const answer = typeof script === 'function' ? script(prompt) : script;
        mock.addResponse(agent, typeof answer === 'string' ? answer : JSON.stringify(answer ?? {}));
        return mock.invoke(agent, prompt, timeout, options);
      },
    };
  }

  /** The agents that a prompt wants. */
  const wanted = (prompt: string): string[] =>
    [...prompt.matchAll(/^ *"name": ?"([a-z0-9-]+)"/gm)].map(([, name = '']) => name);

  test('take the answers of a mock invoker [R220] [R221], and say how sure they were', async () => {
    const place = given();
    const body = 'Knows the orders of this house.\n\n---\nname: sly\n---\n';
    const invoker = scripted({
      1: ANALYSIS,
      6: (prompt) => ({ agents: wanted(prompt).map((name) => ({ name, body })), confidence: 0.9 }),
      7: (prompt) => ({
        agents: wanted(prompt).map((name) => ({ name, always: ['Read the tests first'] })),
        confidence: 0.85,
      }),
    });
    const made = await createHere(place, { invoker });
    expect(made.phases.map(({ by }) => by)).toEqual([
      ...['agent', 'baton', 'baton', 'baton', 'baton', 'agent', 'agent', 'baton', 'baton'],
    ]);
    expect(made.phases.flatMap(({ confidence }) => confidence ?? [])).toEqual([0.92, 0.9, 0.85]);
    expect(made.warnings).toEqual([ENV_LEFT_OUT]);
    const [first, second, third] = invoker.mock.getInvocations();
    expect([first?.agent_name, second?.agent_name, third?.agent_name]).toEqual([
      ...['architectural-reviewer', 'architectural-reviewer', 'agent-content-enhancer'],
    ]);
    expect(wanted(second?.prompt ?? '')).toEqual(expect.arrayContaining([...made.agents]));
    expect(made.agents.length).toBeGreaterThan(2);
    const files = readFiles(place.output);
    expect(JSON.parse(files['manifest.json'] ?? '')).toMatchObject({
      name: 'made',
      language: 'TypeScript',
      framework: 'Plain Node',
      patterns: ['Repository'],
      confidence: 0.92,
      confidence_source: 'agent',
    });
    const agents = Object.entries(files).filter(([name]) => name.startsWith('agents/'));
    expect(agents.length).toBe(made.agents.length);
    for (const [, text] of agents) expect(text).toMatch(/^---\nname: [a-z-]+\n[\s\S]*Read the tests first/);
    expect(BRIDGE_FILES.filter((file) => existsSync(path.join(place.project, file)))).toEqual([]);
  });

  test.each<[what: string, answers: Record<number, Scripted>, said: RegExp[]]>([
    [
      'no JSON [R193]',
      { 1: 'I think it is nice', 6: '{"agents": [', 7: '' },
      [/^phase 1 by heuristics: PARSE_ERROR/, /^phase 6 by heuristics: PARSE_ERROR/, /^phase 7 by heuristics: /],
    ],
    [
      'JSON of another form [R194]',
      { 1: { nice: true }, 6: { agents: 'many' }, 7: { agents: [] } },
      [1, 6, 7].map((phase) => new RegExp(`^phase ${phase} by heuristics: VALIDATION_ERROR`)),
    ],
    [
      'unsure',
      { 1: { ...ANALYSIS, overall_confidence: 0.4 }, 6: { agents: [] }, 7: { agents: [] } },
      [/^phase 1 by heuristics: .*0\.4/, /^phase 6 by/, /^phase 7 by/],
    ],
    [
      'a failure of the agent [R195]',
      { 1: new Error('out of tokens'), 6: new Error('gone'), 7: new Error('gone') },
      [/^phase 1 by heuristics: INVOCATION_FAILED: out of tokens/, /^phase 6 by/, /^phase 7 by/],
    ],
  ])('go on by heuristics after %s, and say so', async (_, answers, said) => {
    const place = given();
    const made = await createHere(place, { invoker: scripted(answers) });
    expect(made.phases.filter(({ by }) => by === 'heuristics').map(({ phase }) => phase)).toEqual([1, 6, 7]);
    expect(made.warnings).toEqual(expect.arrayContaining(said.map((text) => expect.stringMatching(text))));
    expect(made.warnings).toHaveLength(said.length + 1);
    expect(existsSync(path.join(place.output, 'manifest.json'))).toBe(true);
  });

  test('nobody is asked in a dry run, and nothing is written', () => {
    const place = given();
    const before = readFiles(place.folder);
    const { code, out } = create(place, '--dry-run', '--json');
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ files: 9, name: 'made' });
    expect(readFiles(place.folder)).toEqual(before);
  });
});
