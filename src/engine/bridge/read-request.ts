import { type BridgeProfile, checkAgainstProfile } from '../../contracts/bridge/bridge-profile.js';
import { readAgentRequest } from '../../contracts/bridge/read-agent-request.js';
import { requestFingerprint } from '../../contracts/bridge/request-fingerprint.js';
import { BatonError } from '../../contracts/shared/errors.js';
import { readJson } from '../../contracts/shared/read-json.js';
import type { TakenRequest } from '../../core/bridge/bridge-messages.js';
import type { Ports, SealedBody } from '../ports.js';
import { sealBody } from '../seal.js';

export type RequestSources = {
  ports: Pick<Ports, 'scrub' | 'hasher'>;
  knowsAgent(id: string): Promise<boolean>;
  isPerson(id: string): Promise<boolean>;
  profile(name: string): Promise<BridgeProfile>;
};
/** Whose names are asked for; `*` answers for everybody who is not named. */
type Whose = { agents: Readonly<Record<string, string>>; profile: string | null };

export const ANYBODY = '*';
/** Names are said in events, lists and messages. */
const NAME_LENGTH_MAX = 200;

/** What an orchestrator has written, with who is to answer it. Throws when it is not what the contract says. */
export async function readRequest(
  bytes: Uint8Array,
  { agents, profile }: Whose,
  sources: RequestSources,
): Promise<{ request: TakenRequest; body: SealedBody }> {
  const read = readJson(bytes);
  if ('denial' in read) throw new BatonError(read.denial.code, `the request: ${read.denial.reason}`);
  const asked = readAgentRequest(read.value);
  for (const name of ['phase_name', 'agent_name'] as const) refuseLong(name, asked[name]);
  const rules = profile === null ? null : await sources.profile(profile);
  const verdict = rules === null ? true : checkAgainstProfile(asked, rules);
  if (verdict !== true) throw new BatonError(verdict.code, verdict.reason, verdict.details);
  const { request_id, phase, phase_name, agent_name, timeout_seconds, retry_count } = asked;
  const { ref: document, body } = sealBody(sources.ports, JSON.stringify(asked));
  const fingerprint = sources.ports.hasher.sha256(requestFingerprint(asked));
  const request: TakenRequest = {
    ...{ request_id, phase, phase_name, agent_name, timeout_seconds, retry_count, document, fingerprint },
    answerer: await answererOf(agent_name, agents, sources),
    required: rules?.phases.find((row) => row.phase === phase)?.required ?? null,
  };
  return { request, body };
}

function refuseLong(field: string, { length }: string): void {
  if (length <= NAME_LENGTH_MAX) return;
  const path = `/${field}`;
  throw new BatonError('SCHEMA_INVALID', `${path} has ${length} characters; ${NAME_LENGTH_MAX} are allowed`, { path });
}

/** Who was named for it, else the agent of that very id, else whoever answers for everybody. */
export async function answererOf(
  name: string,
  agents: Whose['agents'],
  { knowsAgent, isPerson }: RequestSources,
): Promise<TakenRequest['answerer']> {
  const named = Object.hasOwn(agents, name) ? agents[name] : undefined;
  const agent = named ?? ((await knowsAgent(name)) ? name : agents[ANYBODY]);
  if (agent === undefined || !(await knowsAgent(agent))) return null;
  return { agent, isPerson: await isPerson(agent) };
}
