import { isIP } from 'node:net';

export type HostRule = {
  /** A name, `*.name` for all names below it, `*` for all names, or a numeric address. */
  host: string;
  /** 443 when not given. */
  port?: number;
  /** May lead to this machine or its network, which names of others must not. */
  mayBePrivate?: boolean;
};

export type Target = { host: string; port: number };

/** What leads to this machine or its network is not meant. */
export const EVERY_NAME = '*';

const PORT_DEFAULT = 443;
const NAME = /^(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9])?(\.[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9])?)*$/;
const NUMBER_LIKE = /^(0x[0-9a-f]*|\d+)$/;

/** `host:port` as CONNECT has it; undefined for anything that is not plainly one. */
export function readTarget(text: string): Target | undefined {
  const [, bracketed, plain, digits = ''] = /^(?:\[([0-9a-f:.]+)\]|([^:[\]]+)):(\d{1,5})$/i.exec(text) ?? [];
  const host = canonical(bracketed ?? plain ?? '');
  const port = Number(digits);
  if (port < 1 || port > 65_535) return undefined;
  if (bracketed !== undefined) return isIP(host) === 6 ? { host, port } : undefined;
  return isIP(host) === 4 || isName(host) ? { host, port } : undefined;
}

export function ruleFor({ host, port }: Target, rules: readonly HostRule[]): HostRule | undefined {
  return rules.find((rule) => (rule.port ?? PORT_DEFAULT) === port && covers(canonical(rule.host), host));
}

/** As a person says it: without the port that everybody takes. */
export function nameOf({ host, port }: Target): string {
  const name = isIP(host) === 6 ? `[${host}]` : host;
  return port === PORT_DEFAULT ? name : `${name}:${port}`;
}

function covers(rule: string, host: string): boolean {
  if (isIP(host) !== 0) return rule === host; // an address is never below a name
  if (rule === EVERY_NAME) return true;
  return rule.startsWith('*.') ? host.endsWith(rule.slice(1)) && host.length >= rule.length : rule === host;
}

/** Resolvers read `0x7f.1` and `2130706433` as addresses; as names they would pass the rules. */
function isName(host: string): boolean {
  return NAME.test(host) && !NUMBER_LIKE.test(host.slice(host.lastIndexOf('.') + 1));
}

/** One dot at the end means the same name. */
const canonical = (host: string): string => host.toLowerCase().replace(/\.$/, '');
