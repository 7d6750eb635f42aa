import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { baton } from '../cli/run-bin.js';
import { ORDER_SERVICE } from './kit/projects.js';
import { readFiles, temporaryFolder, writeFiles } from './kit/write-files.js';

const REQUEST = '.agent-request.json';
const RESPONSE = '.agent-response.json';
const STATE = '.template-create-state.json';
const REQUEST_ID = '550e8400-e29b-41d4-a716-446655440000';

/** As the document prints them; the prompt is lengthened to the minimum that its own schema sets. */
const DOCUMENT = {
  request: {
    request_id: REQUEST_ID,
    version: '1.0',
    phase: 1,
    phase_name: 'codebase_analysis',
    agent_name: 'architectural-reviewer',
    prompt: '# Codebase Analysis Request\n\nYou are analyzing a codebase...'.padEnd(100, '.'),
    context: {
      project_path: '/Users/dev/MyProject',
      output_path: '/Users/dev/.agentecflow/templates/my-template',
      template_name: 'my-template',
    },
    timeout_seconds: 120,
    created_at: '2025-11-18T10:30:00Z',
    retry_count: 0,
  },
  response: {
    request_id: REQUEST_ID,
    version: '1.0',
    status: 'success',
    response: '{"technology_stack":{"primary_language":"C#","confidence":0.95},...}',
    created_at: '2025-11-18T10:31:45Z',
    duration_seconds: 105.3,
    metadata: { model: 'claude-sonnet-4-5-20250929', tokens_used: 4523, confidence: 0.92 },
  },
  state: {
    version: '1.0',
    phase: 5,
    phase_name: 'agent_recommendation',
    checkpoint_name: 'before_agent_invocation',
    created_at: '2025-11-18T10:30:00Z',
    output_path: '/Users/dev/.agentecflow/templates/my-template',
    project_path: '/Users/dev/MyProject',
    template_name: 'my-template',
    phase_data: {
      codebase_analysis: {
        primary_language: 'C#',
        framework: '.NET MAUI',
        patterns: ['MVVM', 'ErrorOr', 'Repository'],
      },
      manifest: { name: 'my-template', language: 'C#', framework: '.NET MAUI' },
      existing_agents: {
        user_custom: [],
        template: [],
        global: ['architectural-reviewer', 'code-reviewer', 'test-verifier'],
      },
    },
    completed_phases: [
      {
        phase: 1,
        phase_name: 'codebase_analysis',
        completed_at: '2025-11-18T10:25:00Z',
        result_summary: 'Analyzed 30 files, confidence 0.92',
      },
      {
        phase: 2,
        phase_name: 'manifest_generation',
        completed_at: '2025-11-18T10:26:00Z',
        result_summary: 'Generated manifest.json',
      },
    ],
    agent_requests: [{ request_id: REQUEST_ID, agent_name: 'architectural-reviewer', phase: 1, status: 'completed' }],
  },
};

function given(files: Readonly<Record<string, object>> = {}) {
  const folder = temporaryFolder();
  const project = writeFiles(path.join(folder, 'source'), ORDER_SERVICE);
  writeFiles(project, Object.fromEntries(Object.entries(files).map(([name, value]) => [name, JSON.stringify(value)])));
  const home = path.join(folder, 'home');
  return { folder, project, home, output: path.join(home, 'templates/my-template') };
}

function run({ home }: ReturnType<typeof given>, ...args: string[]) {
  return baton(['template', 'create', ...args], { env: { BATON_HOME: home } });
}

const read = (folder: string, file: string) => JSON.parse(readFileSync(path.join(folder, file), 'utf8'));

/** Answers whatever waits, as a handler does. */
function respond(project: string, response: object | string): void {
  const { request_id } = read(project, REQUEST);
  writeFiles(project, {
    [RESPONSE]: JSON.stringify({
      request_id,
      version: '1.0',
      status: 'success',
      response: typeof response === 'string' ? response : JSON.stringify(response),
      created_at: new Date().toISOString(),
    }),
  });
}

describe('template creation', () => {
  test('ends with 42 at each ask and is resumed with the answer, then removes its files [R197] [R211] [R225]', () => {
    const place = given();
    const { project } = place;
    const flags = ['--path', project, '--name', 'my-template'];
    const first = run(place, ...flags);
    expect({ code: first.code, out: first.out }).toEqual({ code: 42, out: '' });
    expect(first.err.trim().split('\n').length).toBeLessThanOrEqual(4);
    expect(first.err).toContain(`baton bridge respond --dir ${project}`);
    const command = `baton template create --path ${project} --name my-template`;
    expect(first.err).toContain(`baton bridge run --dir ${project} --agent claude -- ${command}\n`);
    expect(read(project, REQUEST)).toMatchObject({
      phase: 1,
      agent_name: 'architectural-reviewer',
      context: { project_path: project, output_path: place.output, template_name: 'my-template' },
    });
    respond(project, { technology_stack: { primary_language: 'TypeScript' }, overall_confidence: 0.9 });

    expect(run(place, ...flags, '--resume').code).toBe(42);
    expect(read(project, REQUEST)).toMatchObject({ phase: 6, agent_name: 'architectural-reviewer' });
    const { phase_data, completed_phases } = read(project, STATE);
    expect(Object.keys(phase_data)).toEqual(
      expect.arrayContaining([
        ...['codebase_analysis', 'manifest', 'settings', 'template_files', 'existing_agents', 'recommended_agents'],
      ]),
    );
    expect(completed_phases).toMatchObject(
      [1, 2, 3, 4, 5].map((phase) => ({ phase, result_summary: expect.any(String) })),
    );
    respond(project, { agents: [] });

    expect(run(place, ...flags, '--resume').code).toBe(42);
    expect(read(project, REQUEST)).toMatchObject({ phase: 7, agent_name: 'agent-content-enhancer' });
    respond(project, 'no');

    const last = run(place, ...flags, '--resume', '--json');
    expect(last.code).toBe(0);
    expect(JSON.parse(last.out)).toMatchObject({
      resumed_at: 8,
      output: place.output,
      warnings: [
        expect.stringContaining('.env'),
        expect.stringMatching(/^phase 6 by heuristics: VALIDATION_ERROR/),
        expect.stringMatching(/^phase 7 by heuristics: PARSE_ERROR/),
      ],
    });
    expect(JSON.parse(last.out).phases.map(({ by }: { by: string }) => by)).toEqual([
      ...['earlier', 'earlier', 'earlier', 'earlier', 'earlier', 'earlier', 'heuristics', 'baton', 'baton'],
    ]);
    expect([REQUEST, RESPONSE, STATE].filter((file) => existsSync(path.join(project, file)))).toEqual([]);
    expect(read(place.output, 'manifest.json')).toMatchObject({ confidence: 0.9, confidence_source: 'agent' });
  });

  test('asked again without an answer waits at the same phase, with the same request', () => {
    const place = given();
    const flags = ['--path', place.project, '--name', 'my-template'];
    expect(run(place, ...flags).code).toBe(42);
    const { request_id } = read(place.project, REQUEST);
    expect(run(place, ...flags, '--resume').code).toBe(42);
    expect(read(place.project, REQUEST)).toMatchObject({ request_id, phase: 1 });
  });

  test("resumes at phase 2 from a state at phase 1, the document's request and its response", () => {
    const { phase_data: _, completed_phases: __, agent_requests: ___, ...bare } = DOCUMENT.state;
    const place = given({
      [STATE]: { ...bare, phase: 1, phase_name: 'codebase_analysis' },
      [REQUEST]: DOCUMENT.request,
      [RESPONSE]: DOCUMENT.response,
    });
    const { project, output } = place;
    const flags = ['--path', project, '--name', 'my-template', '--output', output, '--resume'];
    const { code, err } = run(place, ...flags);
    expect(code).toBe(42);
    expect(err).toMatch(/^1\/9 codebase analysis .*\(heuristics\)\n2\/9 manifest generation/);
    const state = read(project, STATE);
    expect(state).toMatchObject({ phase: 6, output_path: output, project_path: project });
    expect(state.completed_phases[0]).toMatchObject({
      phase: 1,
      result_summary: expect.stringContaining('heuristics'),
    });

    expect(state.phase_data.warnings).toEqual([
      expect.stringMatching(/^phase 1 by heuristics: PARSE_ERROR/),
      expect.stringContaining('.env'),
    ]);
  });

  test('names the output in its hint, in full', () => {
    const { project, home, folder } = given();
    const args = ['template', 'create', '--path', project, '--name', 'x', '--output', 'made here'];
    const { code, err } = baton(args, { env: { BATON_HOME: home }, cwd: folder });
    expect(code).toBe(42);
    expect(err).toContain(`--name x --output '${path.join(folder, 'made here')}'`);
  });

  test.each([
    ['a bridge handler answers by itself', 'run-1/round-1-h2/1', false],
    ['an agent of a job does not', 'run-1/h1/1', true],
    ['nor one of a run whose name is like a round', 'round-1/h1/1', true],
  ])('hints how to answer unless a handler does: %s', (_, handoff, hints) => {
    const { project, home } = given();
    const env = { BATON_HOME: home, BATON_RUN: 'run-1', BATON_HANDOFF: handoff };
    const { code, err } = baton(['template', 'create', '--path', project, '--name', 'x'], { env });
    expect({ code, hints: err.includes('bridge respond') }).toEqual({ code: 42, hints });
  });

  test("resumes at phase 5 from the document's state alone, and asks next in phase 6", () => {
    const place = given({ [STATE]: DOCUMENT.state });
    const { project, output } = place;
    const { code, err } = run(place, '--path', project, '--output', output, '--resume');
    expect(code).toBe(42);
    expect(err).toMatch(/^5\/9 agent recommendation/);
    const { prompt, phase, context } = read(project, REQUEST);
    expect({ phase, context }).toMatchObject({ phase: 6, context: { template_name: 'my-template' } });
    expect(prompt).toContain('.NET MAUI');
    const { phase_data } = read(project, STATE);
    const recommended = phase_data.recommended_agents.map(({ name }: { name: string }) => name);
    expect(recommended).not.toContain('code-reviewer');

    const done = run(place, '--path', project, '--output', output, '--resume', '--no-agents', '--json');
    expect(done.code).toBe(0);
    expect(JSON.parse(done.out)).toMatchObject({ name: 'my-template', resumed_at: 6, agents: recommended });
    expect(read(output, 'manifest.json')).toMatchObject({ language: 'C#', framework: '.NET MAUI' });
  });

  test('without flags takes the paths of the state, and says when they lead nowhere', () => {
    const place = given({ [STATE]: DOCUMENT.state });
    const here = { env: { BATON_HOME: place.home }, cwd: place.project };
    const nowhere = baton(['template', 'create', '--resume', '--no-agents'], here);
    expect(nowhere).toMatchObject({ code: 1 });
    expect(nowhere.err).toContain('/Users/dev');
    writeFiles(place.project, {
      [STATE]: JSON.stringify({ ...DOCUMENT.state, output_path: place.output, project_path: place.project }),
    });
    const done = baton(['template', 'create', '--resume', '--no-agents', '--json'], here);
    expect(JSON.parse(done.out)).toMatchObject({ output: place.output, name: 'my-template', resumed_at: 5 });
  });

  test('takes no file from a state that names what was not chosen', () => {
    const place = given({
      [STATE]: {
        ...DOCUMENT.state,
        phase: 8,
        phase_name: 'assembly',
        phase_data: { template_files: ['.env', '../../etc/passwd'], agents: [{ name: 1 }], codebase_analysis: 7 },
      },
    });
    const { code } = run(place, '--path', place.project, '--output', place.output, '--resume', '--no-agents');
    expect(code).toBe(0);
    expect(Object.keys(readFiles(path.join(place.output, 'templates')))).not.toContain('.env');
    expect(readFiles(path.join(place.output, 'agents'))).toEqual({});
  });
});
