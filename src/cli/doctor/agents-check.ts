import path from 'node:path';
import { readJson } from '../../contracts/shared/read-json.js';
import { KNOWN_AGENTS, type KnownAgent } from './agents.js';
import type { Check, DoctorEnv, Finding } from './finding.js';
import type { RunResult } from './probe.js';
import { quoteOutput } from './quote-output.js';
import { findVersion } from './version.js';

const VERSION_TIMEOUT_MS = 5_000;
const KEYCHAIN_TIMEOUT_MS = 2_000;
const MODEL_KEY = 'OPENAI_API_KEY';

export const checkModel: Check = async ({ env }) =>
  env[MODEL_KEY]
    ? [{ topic: 'model', status: 'ok', text: `built in   API key (${MODEL_KEY})` }]
    : [{ topic: 'model', status: 'absent', text: `built in   ${MODEL_KEY} is not set   optional` }];

export function agentCheck(agent: KnownAgent): Check {
  return async (env) => [{ topic: agent.name, ...(await examine(agent, env)) }];
}

export const AGENT_CHECKS = KNOWN_AGENTS.map((agent) => ({ topic: agent.name, check: agentCheck(agent) }));

async function examine(agent: KnownAgent, doctor: DoctorEnv): Promise<Omit<Finding, 'topic'>> {
  const program = await doctor.probe.find(agent.name);
  if (!program) return { status: 'absent', text: 'not found   optional' };
  const result = await doctor.probe.run(program, ['--version'], VERSION_TIMEOUT_MS);
  const version = result.type === 'exited' && result.code === 0 ? findVersion(result.stdout) : undefined;
  if (!version) return { status: 'problem', text: brokenText(agent, result, doctor), fix: agent.install };
  const login = await findLogin(agent, doctor);
  const column = version.padEnd(9);
  if (!login) return { status: 'problem', text: `${column} not logged in`, fix: agent.fix };
  const note = login.startsWith('plan') ? '   cost shown as API-equivalent; cap tokens and time' : '';
  return { status: 'ok', text: `${column} ${login}${note}` };
}

function brokenText({ name }: KnownAgent, result: RunResult, { env }: DoctorEnv): string {
  const asked = `${name} --version`;
  switch (result.type) {
    case 'timeout':
      return `${asked} did not answer in ${VERSION_TIMEOUT_MS / 1000} s`;
    case 'failed':
      return `${asked} cannot be started: ${quoteOutput(result.reason, env)}`;
    case 'killed':
      return `${asked} was ended by ${result.signal}`;
    case 'exited': {
      const said = quoteOutput(result.stderr || result.stdout, env);
      return result.code === 0 ? `${asked} told no version, only ${said}` : `${asked} failed (${result.code}): ${said}`;
    }
  }
}

/** How it is logged in, without asking its provider. Only names and kinds are told, never what a file holds. */
async function findLogin(agent: KnownAgent, doctor: DoctorEnv): Promise<string | undefined> {
  const { probe, env, userHome } = doctor;
  for (const [name, kind] of Object.entries(agent.keys)) if (env[name]) return `${kind} (${name})`;
  const { folderEnv = '', folder, file, kind, keyField = '' } = agent.login;
  const text = await probe.readText(path.join(env[folderEnv] || path.join(userHome, folder), file));
  const fields = text === undefined ? {} : fieldsOf(text);
  if (fields[keyField]) return `API key (${file})`;
  if (Object.values(fields).some(Boolean)) return kind;
  return agent.keychain && probe.platform === 'darwin' && (await inKeychain(agent.keychain, doctor)) ? kind : undefined;
}

/** Logging out leaves `{}` or nulls behind in some of these files; what cannot be read is no login either. */
function fieldsOf(text: string): Record<string, unknown> {
  const read = readJson(text);
  const isObject = 'value' in read && typeof read.value === 'object' && read.value !== null;
  return isObject ? (read.value as Record<string, unknown>) : {};
}

/** Without -w or -g `security` tells only that the entry exists. */
async function inKeychain(service: string, { probe }: DoctorEnv): Promise<boolean> {
  const found = await probe.run('/usr/bin/security', ['find-generic-password', '-s', service], KEYCHAIN_TIMEOUT_MS);
  return found.type === 'exited' && found.code === 0;
}
