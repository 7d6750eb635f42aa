import { realpathSync } from 'node:fs';
import path from 'node:path';
import { BatonError } from '../../contracts/shared/errors.js';
import type { SessionOrder } from '../../core/session/session-messages.js';
import type { ConfigureOp } from '../../engine/session/session-orders.js';
import { addressIn } from '../../engine/session/session-orders.js';
import type { SessionPlace } from '../../engine/session/session-place.js';
import type { Parsed } from '../command.js';
import type { Io } from '../io.js';
import { readLimits } from '../job/read-options.js';
import { textOption } from '../option-values.js';

const SETTINGS = ['model', 'provider', 'cwd', 'approval-policy', 'sandbox', 'max-cost', 'max-time', 'max-tokens'];

/** Options that say how a session works. */
export function settingsSaid(parsed: Parsed): string[] {
  return SETTINGS.filter((name) => parsed.values[name] !== undefined);
}

export function hasSettings(parsed: Parsed): boolean {
  return settingsSaid(parsed).length > 0;
}

type Place = Pick<SessionPlace, 'isFar'>;

/** What was said about a session, over what holds for it already. */
export function configureOp(place: Place, parsed: Parsed, io: Io, before: Partial<ConfigureOp> = {}): ConfigureOp {
  const said = textOption(parsed, 'provider');
  const [model, mode] = [textOption(parsed, 'model'), textOption(parsed, 'sandbox')];
  const approval = textOption(parsed, 'approval-policy') as ConfigureOp['approval_policy'];
  const cwd = textOption(parsed, 'cwd') ?? before.cwd;
  const limits = { ...before.limits, ...readLimits(parsed) };
  return {
    ...before,
    type: 'configure_session',
    cwd: folderAt(place, cwd, io),
    ...(model !== undefined && { model }),
    ...(said !== undefined && { provider: providerOf(said) }),
    ...(approval !== undefined && { approval_policy: approval }),
    ...(mode !== undefined && { sandbox_policy: { ...before.sandbox_policy, mode: mode as 'read-only' } }),
    limits: Object.fromEntries(Object.entries(limits).filter(([, amount]) => amount)),
  };
}

/** How a session works now, as it would be asked for: what is not said again would not hold any more. */
export async function settingsOf(
  place: Pick<SessionPlace, 'orderOf' | 'textOf'>,
  session: string,
): Promise<Partial<ConfigureOp>> {
  const order = await place.orderOf(session);
  const { cwd, model, agent, approval, sandbox, limits, classification, instructions } = order;
  const address = addressIn(agent);
  return {
    ...{ cwd, model, provider: address === undefined ? agent : { base_url: address }, approval_policy: approval },
    ...(instructions && { instructions: await place.textOf(session, instructions.sha256) }),
    ...(classification !== null && { classification }),
    ...securityOf(order),
    sandbox_policy: {
      ...{ mode: sandbox.mode, writable_roots: [...sandbox.writableRoots], network_access: sandbox.networkAccess },
    },
    limits: {
      ...(limits.costMicroUsd && { cost_usd: limits.costMicroUsd / 1_000_000 }),
      ...(limits.activeMs && { time_minutes: limits.activeMs / 60_000 }),
      ...(limits.tokens && { tokens: limits.tokens }),
      ...(limits.asks && { interactions: limits.asks }),
    },
  };
}

function securityOf({ cwd, tools, sandbox: { paths, hosts } }: Pick<SessionOrder, 'cwd' | 'tools' | 'sandbox'>) {
  const security = {
    ...(tools && { tools: [...tools] }),
    ...(paths && { paths: paths.map((place) => path.posix.relative(cwd, place) || '.') }),
    ...(hosts && { network: [...hosts] }),
  };
  return Object.keys(security).length > 0 && { security };
}

function providerOf(said: string): NonNullable<ConfigureOp['provider']> {
  return /^https?:\/\//.test(said) ? { base_url: said } : said;
}

/** The folder whose sessions are meant where nobody names one. */
export function standingIn(place: Place, parsed: Parsed, io: Io): string {
  return folderAt(place, place.isFar ? textOption(parsed, 'cwd') : undefined, io);
}

function folderAt({ isFar }: Place, said: string | undefined, io: Io): string {
  if (!isFar) return folderOf(path.resolve(io.cwd, said ?? '.'));
  if (said !== undefined && path.posix.isAbsolute(said)) return said;
  const reason = `sessions of ${io.env.BATON_URL} work in folders there: name one with --cwd, from the root on`;
  throw new BatonError('USAGE', reason);
}

/** As it really is, so that sessions of one folder find each other. */
function folderOf(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    const hint = 'Make that folder, or name another one with --cwd.';
    throw new BatonError('INPUT_UNREADABLE', `there is no folder ${folder}`, { file: folder }, hint);
  }
}
