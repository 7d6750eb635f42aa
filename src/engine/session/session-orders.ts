import type { Submission } from '../../contracts/generated/types/submission.js';
import { BatonError } from '../../contracts/shared/errors.js';
import type { Limits } from '../../core/kernel/budget.js';
import { projectOf } from '../../core/kernel/project.js';
import type { ApprovalPolicy, SandboxPolicy, SessionOrder } from '../../core/session/session-messages.js';
import type { Ports, SealedBody } from '../ports.js';
import { sealBody } from '../seal.js';
import { narrowedSandbox } from './narrow-sandbox.js';
import type { SessionCaller } from './session-desk.js';

export type OpOf<Type extends string> = Extract<Submission['op'], { type: Type }>;
export type ConfigureOp = OpOf<'configure_session'>;

/** What holds where the client says nothing. */
export type SessionDefaults = {
  model: string;
  history: SessionOrder['history'];
  contextWindow: number;
  approval: ApprovalPolicy;
  sandboxMode: SandboxPolicy['mode'];
};

export type OrderSources = {
  ports: Pick<Ports, 'scrub' | 'hasher'>;
  defaults(): Promise<SessionDefaults>;
  /** The folder as it really is; undefined when there is none. */
  folderAt(path: string): Promise<string | undefined>;
  /** A file or folder that lies in one, absolute; undefined when it is not there, or is reached through a link. */
  placeIn(folder: string, path: string): Promise<string | undefined>;
  /** Whether a sandbox holds commands here. */
  holds(): Promise<boolean>;
  /** Why nobody may write there without being asked, as the end of a sentence; undefined when they may. */
  whyNotWritable(folder: string): Promise<string | undefined>;
  repositoryOf(folder: string): Promise<string | undefined>;
  /** The model that an agent is registered with; undefined when there is no such agent, or it is no model. */
  modelOf(agent: string): Promise<{ model: string | null } | undefined>;
};

/** Whom sessions ask when nobody is named. */
export const MODEL_AGENT = 'model';
/** An agent that is nothing but an address. */
const ADDRESS_PREFIX = 'model:';

/** What a client says about a session, with what holds where it says nothing. */
export async function sessionOrder(
  op: ConfigureOp,
  caller: SessionCaller,
  sources: OrderSources,
): Promise<{ order: SessionOrder; bodies: readonly SealedBody[] }> {
  const defaults = await sources.defaults();
  const cwd = await folderOf(op.cwd, sources);
  const agent = agentOf(op.provider, caller);
  const known = await sources.modelOf(agent);
  if (!known) {
    const reason = `there is no model called ${agent} that speaks the Responses API`;
    const hint = `Make it known: baton agent register ${agent} --adapter model --model NAME --base-url URL. An address alone will do, too.`;
    throw new BatonError('AGENT_NOT_FOUND', reason, { agent }, hint);
  }
  const instructions = op.instructions ? sealBody(sources.ports, op.instructions) : null;
  const repository = (await sources.repositoryOf(cwd)) ?? null;
  const order: SessionOrder = {
    cwd,
    repository,
    agent,
    model: op.model ?? known.model ?? defaults.model,
    instructions: instructions?.ref ?? null,
    approval: op.approval_policy ?? defaults.approval,
    sandbox: await narrowedSandbox(await sandboxOf(op, defaults, sources), { cwd, security: op.security }, sources),
    history: defaults.history,
    contextWindow: defaults.contextWindow,
    limits: limitsOf(op.limits),
    project: projectOf(undefined, repository ?? cwd),
    classification: op.classification ?? null,
    tools: toolsOf(op.security),
    parent: null,
  };
  return { order, bodies: instructions ? [instructions.body] : [] };
}

function agentOf(provider: ConfigureOp['provider'], { isLocal, role }: SessionCaller): string {
  if (provider === undefined) return MODEL_AGENT;
  if (typeof provider === 'string') return provider;
  const { base_url: url } = provider as { base_url?: unknown };
  if (typeof url !== 'string' || !/^https?:\/\/\S+$/.test(url)) {
    throw new BatonError('SCHEMA_INVALID', 'a provider has a base_url', { path: '/op/provider/base_url' });
  }
  // The key of the provider goes wherever this says.
  if (!isLocal && role !== 'admin') {
    throw new BatonError('FORBIDDEN', 'only who administers this server may name the address of a provider', {
      needed: 'admin',
    });
  }
  return `${ADDRESS_PREFIX}${url}`;
}

/** Undefined when the agent is not named by its address. */
export function addressIn(agent: string): string | undefined {
  return agent.startsWith(ADDRESS_PREFIX) ? agent.slice(ADDRESS_PREFIX.length) : undefined;
}

async function sandboxOf(
  { sandbox_policy: policy }: ConfigureOp,
  { sandboxMode }: SessionDefaults,
  sources: OrderSources,
): Promise<SandboxPolicy> {
  const { mode = sandboxMode, writable_roots: roots = [], network_access: networkAccess = false } = policy ?? {};
  const writableRoots = await Promise.all(roots.map((root) => rootOf(root, sources)));
  return { mode, writableRoots, networkAccess };
}

async function folderOf(given: string, { folderAt }: OrderSources): Promise<string> {
  const folder = await folderAt(given);
  if (folder === undefined) throw new BatonError('INPUT_UNREADABLE', `there is no folder ${given}`, { file: given });
  return folder;
}

/** As it is now: what is kept is never looked up again, so nobody who works in the session can lead it elsewhere. */
async function rootOf(given: string, sources: OrderSources): Promise<string> {
  const root = await folderOf(given, sources);
  const because = await sources.whyNotWritable(root);
  if (because === undefined) return root;
  const reason = `${given} cannot be a writable root: it ${because}. Name a folder of a project, or ask for danger-full-access`;
  throw new BatonError('PATH_REFUSED', reason, { path: given });
}

type Security = ConfigureOp['security'];

function toolsOf(security: Security): readonly string[] | null {
  return (typeof security === 'object' && security.tools) || null;
}

const MICRO_USD = 1_000_000;
const MINUTE_MS = 60_000;

function limitsOf({ cost_usd, time_minutes, tokens, interactions }: NonNullable<ConfigureOp['limits']> = {}): Limits {
  return {
    ...(cost_usd && { costMicroUsd: Math.round(cost_usd * MICRO_USD) }),
    ...(time_minutes && { activeMs: Math.round(time_minutes * MINUTE_MS) }),
    ...(tokens && { tokens }),
    ...(interactions && { asks: interactions }),
  };
}
