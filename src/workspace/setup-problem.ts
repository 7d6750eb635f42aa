import { isIP, isIPv6 } from 'node:net';
import { EVERY_NAME, readTarget, type Target } from '../sandbox/relay/host-rules.js';
import { isPublicAddress } from '../sandbox/relay/public-address.js';
import type { HeldSetup } from './confinement.js';
import type { CommandEnd } from './run-gated.js';

const HTTPS_PORT = 443;
const HOSTS_TOLD_MAX = 5;
const OUTSIDE = 'baton config set sandbox.setup danger-full-access';
/** What programs say that do not use the proxy. */
const NO_NETWORK =
  /EAI_AGAIN|ENOTFOUND|ENETUNREACH|could not resolve|couldn't resolve|name resolution|name or service not known|network is unreachable/i;

type Inside = Pick<HeldSetup, 'hosts' | 'refused' | 'unreached'>;

/** What went wrong, and what to do about it. */
export function setupProblem(argv: readonly string[], end: CommandEnd, held: Inside | undefined): string {
  const how = end.timedOut ? 'took longer than an hour' : `ended with ${end.exitCode ?? 'a signal'}`;
  const what = `The setup command ${JSON.stringify(argv.join(' ').slice(0, 200))} ${how}.`;
  if (!held) return `${what} Look at its output, mend it, then resubmit.`;
  return [what, ...(unreachedHint(held) ?? networkHint(held, end.stdout) ?? plainHint(held))].join(' ');
}

/** For a setup that went well all the same; undefined when it was refused nothing. */
export function refusedNote({ refused }: Pick<Inside, 'refused'>): string | undefined {
  const asked = [...toName(refused), ...nearby(refused)];
  return asked.length === 0 ? undefined : `Setup asked for ${listed(asked)}, which it may not reach.`;
}

/** Its rights were enough. */
function unreachedHint({ refused, unreached }: Inside): string[] | undefined {
  if (refused.size > 0 || unreached.size === 0) return undefined;
  return [`It asked for ${listed(toName(unreached))}, which cannot be reached from here. See to that, then resubmit.`];
}

function networkHint({ hosts, refused }: Inside, output: string): string[] | undefined {
  const mayReach = `It may reach ${reached(hosts)}`;
  const missing = toName(refused);
  const near = nearby(refused);
  if (missing.length === 0 && near.length === 0 && !NO_NETWORK.test(output)) return undefined;
  const nameable = near.length === 0 && !hosts.includes(EVERY_NAME);
  const naming = missing.length > 0 ? missing.slice(0, HOSTS_TOLD_MAX) : nameable ? ['HOST'] : [];
  const flags = naming.map((host) => `--net ${host}`).join(' ');
  return [
    missing.length > 0 ? `${mayReach}, and asked for ${listed(missing)}.` : `${mayReach}, through HTTPS_PROXY.`,
    ...(flags === '' ? [] : [`Begin the job anew with ${flags}, or name it under network in baton.json.`]),
    ...(missing.length === 0 && near.length === 0 ? [`What does not use that needs your rights: ${OUTSIDE}`] : []),
    ...(near.length > 0
      ? [
          `${listed(near)} leads to this machine or its network, which only a setup with your rights reaches: ${OUTSIDE}`,
        ]
      : []),
  ];
}

function plainHint({ hosts }: Inside): string[] {
  return [
    `It ran inside the sandbox: without your home, and with ${reached(hosts)} to reach.`,
    `Look at its output, mend it, then resubmit. If it needs your rights: ${OUTSIDE}`,
  ];
}

/** Hosts that `--net` would have allowed. */
function toName(refused: ReadonlySet<string>): string[] {
  const targets = targetsIn(refused).filter(({ host }) => !isIPv6(host) && !isNear(host));
  return [...new Set(targets.map(({ host, port }) => (port === HTTPS_PORT ? host : `${host}:${port}`)))];
}

/** Hosts that are refused for where they lead. Those that were named for it the relay tells without a port. */
function nearby(refused: ReadonlySet<string>): string[] {
  const addresses = targetsIn(refused).flatMap(({ host }) => (isNear(host) ? [host] : []));
  return [...addresses, ...[...refused].filter((one) => readTarget(`${one}:${HTTPS_PORT}`) !== undefined)];
}

function targetsIn(refused: ReadonlySet<string>): Target[] {
  return [...refused].flatMap((one) => readTarget(one) ?? []);
}

const isNear = (host: string): boolean => isIP(host) !== 0 && !isPublicAddress(host);

function reached(hosts: readonly string[]): string {
  if (hosts.length === 0) return 'no host';
  return hosts.includes(EVERY_NAME) ? 'public hosts alone' : `${listed(hosts)} alone`;
}

function listed(hosts: readonly string[]): string {
  const shown = hosts.slice(0, HOSTS_TOLD_MAX).join(', ');
  return hosts.length > HOSTS_TOLD_MAX ? `${shown} and ${hosts.length - HOSTS_TOLD_MAX} more` : shown;
}
