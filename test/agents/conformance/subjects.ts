import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import type { Step, Turn } from '../../../src/testing/index.js';
import { JobStage } from '../../jobs/job-stage.js';
import { type CliName, cliStage, fakeCli, MEND, processesOf, runs } from '../cli-stage.js';
import { OPENCODE } from '../real-agents.js';
import type { Behaviour, Deed, Scene, Script, Subject } from './scene.js';

const NO_HANDS = 'it opens no files and starts nothing; it is asked and answers';
const IN_BATON = 'it is asked by Baton itself: whoever kills that kills all of it';
const NO_PROCESS = 'nothing of it runs on this machine';
const NO_MEMORY = 'each ask stands for itself';
const NO_LOG = 'it says nothing but its answer';
const NO_METER = 'no call of a model goes through the proxy; its cost is its own word';

const FORGETS = {
  'goes on with its conversation': NO_MEMORY,
  'begins anew when its conversation is gone': NO_MEMORY,
  'is cleaned up': NO_MEMORY,
} as const satisfies Partial<Record<Behaviour, string>>;
const ONLY_ANSWERS = {
  ...FORGETS,
  'works with its hands': NO_HANDS,
  'tells its live log': NO_LOG,
  'is asked again when it was killed': NO_PROCESS,
} as const;
const UNMETERED = { 'is metered': NO_METER } as const;

export const REAL_AGENTS: readonly Subject[] = [
  { name: 'codex exec', cannot: {}, set: (script) => tool('codex', script, { program: ' exec ' }) },
  {
    name: 'codex app-server',
    cannot: {},
    async set(script) {
      const scene = await tool('codex', script, { program: ' app-server ' });
      // Where something may have to be asked it is spoken with; nothing here is.
      await scene.stage.ok('rule', 'add', 'ask', 'rsync');
      return scene;
    },
  },
  { name: 'claude', cannot: {}, set: (script) => tool('claude', script, { program: ' -p ' }) },
  { name: 'opencode over acp', cannot: {}, set: opencode },
];

export const OTHER_AGENTS: readonly Subject[] = [
  { name: 'a program that speaks like codex', cannot: {}, set: (script) => tool('codex', script, { fake: true }) },
  { name: 'a program that speaks like claude', cannot: {}, set: (script) => tool('claude', script, { fake: true }) },
  { name: 'a command', cannot: FORGETS, set: command },
  { name: 'a model', cannot: { ...FORGETS, 'is asked again when it was killed': IN_BATON }, set: model },
  { name: 'a service over http', cannot: { ...ONLY_ANSWERS, ...UNMETERED }, set: service },
  { name: 'a script of answers', cannot: { ...ONLY_ANSWERS, ...UNMETERED }, set: scripted },
];

const REFUSED = { kind: 'status', status: 400, type: 'invalid_request_error' } as const;

/** What a model is to say so that whoever it works for does that. */
function turnsOf({ first, told }: Script, handsOf: (command: string) => Step, nap?: Step): Turn[] {
  const step = (deed: Deed): Step => {
    if (deed === 'is refused by its provider') return { fault: REFUSED };
    if ('runs' in deed) return handsOf(deed.runs);
    if ('says' in deed) return { text: deed.says };
    return nap ?? handsOf(`test -e again || { touch again; sleep ${deed.naps}; }; ${MEND}`);
  };
  const turn: Turn = { steps: first.map(step) };
  return told ? [{ when: { prompt: 'Like this' }, steps: told.map(step) }, turn] : [turn];
}

/** One with hands, who naps in a shell. */
async function onModel(
  script: Script,
  { agent, hands, fake = false }: { agent: string; hands(line: string): Step; fake?: boolean },
): Promise<Scene> {
  const { stage, served } = await cliStage({ turns: turnsOf(script, hands) }, { fake });
  const naps = async () => processesOf(stage).some(({ line }) => /^sleep \d/.test(line));
  return { stage, agent, served, naps };
}

/** Of one without a process: it was asked, and that is all that can be seen. */
const isAsked = (stage: JobStage) => async () => (await stage.cli('job', 'show', 'j')).out.includes('RUNNING');

async function tool(name: CliName, script: Script, how: { program?: string; fake?: boolean }): Promise<Scene> {
  const scene = await onModel(script, { ...how, agent: name, hands: (line) => runs(name, line) });
  const keeps = path.join(scene.stage.home, 'jobs', 'j', 'agents', name);
  return { ...scene, keeps, program: how.program ?? `${name}.mjs` };
}

async function opencode(script: Script): Promise<Scene> {
  const hands = (line: string): Step => ({
    text: 'I mend it.',
    tool_calls: [{ name: 'bash', arguments: { command: line, description: 'work' } }],
  });
  const scene = await onModel(script, { agent: 'opencode', hands });
  const bin = ['--command', JSON.stringify([OPENCODE, 'acp']), '--model', 'openai/gpt-5'];
  await scene.stage.ok('agent', 'register', 'opencode', '--adapter', 'acp', ...bin);
  const keeps = path.join(scene.stage.home, 'jobs', 'j', 'agents', 'opencode');
  return { ...scene, keeps, program: ' acp' };
}

async function command(script: Script): Promise<Scene> {
  const scene = await onModel(script, { agent: 'command', hands: (line) => runs('codex', line), fake: true });
  const line = fakeCli(scene.stage, 'command');
  const how = ['--adapter', 'command', '--command', line, '--env', 'OPENAI_API_KEY'];
  await scene.stage.ok('agent', 'register', 'command', ...how);
  return { ...scene, program: 'command.mjs' };
}

async function model(script: Script): Promise<Scene> {
  const nap: Step = { text: 'later', fault: { kind: 'hang', after_deltas: 0 } };
  const hands = (command: string): Step => ({
    text: 'I mend it.',
    tool_calls: [{ name: 'exec_command', arguments: { command } }],
  });
  const turns = turnsOf(script, hands, nap);
  const { stage, served } = await cliStage({ turns }, { fake: true });
  await stage.ok('agent', 'register', 'model', '--adapter', 'model', '--model', 'scripted');
  return { stage, agent: 'model', served, naps: isAsked(stage) };
}

async function service({ first, told }: Script): Promise<Scene> {
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const [deed] = told && body.includes('Like this') ? told.slice(-1) : first.slice(-1);
    if (deed === undefined || deed === 'is refused by its provider') return void response.writeHead(400).end();
    if ('says' in deed) response.end(deed.says);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const stage = new JobStage();
  await stage.ok('agent', 'register', 'far', '--adapter', 'http', '--url', url, '--allow-private');
  return { stage, agent: 'far', naps: isAsked(stage) };
}

async function scripted({ first, told }: Script): Promise<Scene> {
  const stage = new JobStage();
  const entry = (deed: Deed | undefined): object => {
    if (deed === undefined || deed === 'is refused by its provider') return { fail: 'auth' };
    return 'says' in deed ? { answer: deed.says } : { answer: 'later', delay_ms: 3_600_000 };
  };
  const later = told ? [entry(told.at(-1))] : [];
  await stage.scripted('script', [{ ...entry(first.at(-1)), ...(told && { times: 1 }) }, ...later]);
  return { stage, agent: 'script', naps: isAsked(stage) };
}
