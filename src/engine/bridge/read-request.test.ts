import { expect, test } from 'vitest';
import { TEMPLATE_CREATE } from '../../contracts/bridge/bridge-profile.js';
import { createScrub } from '../scrub.js';
import { type RequestSources, readRequest } from './read-request.js';

const SECRET = 'correct-horse-battery-staple';
const AGENTS = ['architectural-reviewer', 'alpha', 'anna'];
const SOURCES: RequestSources = {
  ports: { scrub: createScrub([SECRET]), hasher: { sha256: (data) => `hash of ${data.length}` } },
  knowsAgent: async (id) => AGENTS.includes(id),
  isPerson: async (id) => id === 'anna',
  profile: async () => TEMPLATE_CREATE,
};
const ASKED = {
  request_id: '550e8400-e29b-41d4-a716-446655440000',
  version: '1.0',
  phase: 1,
  phase_name: 'codebase_analysis',
  agent_name: 'architectural-reviewer',
  prompt: 'Look at it and say what it is. '.repeat(5),
  context: {},
  timeout_seconds: 45,
  created_at: '2025-11-18T10:30:00Z',
  retry_count: 2,
};

function read(change: object = {}, agents: Record<string, string> = {}, profile: string | null = null) {
  const bytes = new TextEncoder().encode(JSON.stringify({ ...ASKED, ...change }));
  return readRequest(bytes, { agents, profile }, SOURCES);
}

test('a request is kept as a body, with what decides about it beside it', async () => {
  const { request, body } = await read();
  const { request_id, phase, phase_name, agent_name, timeout_seconds, retry_count } = ASKED;
  expect(request).toMatchObject({ request_id, phase, phase_name, agent_name, timeout_seconds, retry_count });
  expect(request).toMatchObject({ required: null, document: { sha256: body.sha256 } });
  expect(JSON.parse(new TextDecoder().decode(body.bytes))).toEqual(ASKED);
});

test.each([
  ['architectural-reviewer', {}, 'architectural-reviewer', false],
  ['architectural-reviewer', { 'architectural-reviewer': 'alpha' }, 'alpha', false],
  ['architectural-reviewer', { '*': 'alpha' }, 'architectural-reviewer', false],
  ['nobody', { '*': 'alpha' }, 'alpha', false],
  ['nobody', { '*': 'alpha', nobody: 'anna' }, 'anna', true],
])('%s with %j is answered by %s', async (agent_name, agents, agent, isPerson) => {
  expect((await read({ agent_name }, agents)).request.answerer).toEqual({ agent, isPerson });
});

test.each([{}, { other: 'alpha' }, { nobody: 'gone' }, { '*': 'gone' }])(
  'whom nobody knows with %j nobody answers [R190]',
  async (agents) => {
    expect((await read({ agent_name: 'nobody' }, agents)).request.answerer).toBeNull();
  },
);

test('no name is found where objects keep their own', async () => {
  for (const agent_name of ['constructor', '__proto__', 'toString']) {
    expect((await read({ agent_name })).request.answerer).toBeNull();
  }
});

test('a profile closes the names and says what the answer must have', async () => {
  expect((await read({}, {}, 'template-create')).request.required).toEqual(['technology_stack']);
  await expect(read({ phase: 2 }, {}, 'template-create')).rejects.toMatchObject({ code: 'SCHEMA_INVALID' });
});

test('a secret is not kept', async () => {
  const { body } = await read({ prompt: `${ASKED.prompt} ${SECRET}` });
  expect(new TextDecoder().decode(body.bytes)).not.toContain(SECRET);
});

test.each([
  ['phase_name', 'x'.repeat(201)],
  ['agent_name', 'x'.repeat(100_000)],
])('a %s that has no room in an event is refused', async (field, value) => {
  const path = `/${field}`;
  await expect(read({ [field]: value })).rejects.toMatchObject({ code: 'SCHEMA_INVALID', details: { path } });
  await expect(read({ [field]: value }, {}, 'template-create')).rejects.toThrow(/^.{0,200}$/);
});

test('half of a request is none', async () => {
  const half = new TextEncoder().encode(JSON.stringify(ASKED).slice(0, 80));
  await expect(readRequest(half, { agents: {}, profile: null }, SOURCES)).rejects.toMatchObject({
    code: 'SCHEMA_INVALID',
  });
});
