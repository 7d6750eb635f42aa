import { BatonError } from '../contracts/shared/errors.js';

export type NetPlace = { scheme: 'tcp' | 'ws' | 'h2' | 'grpc'; host: string; port: number };
export type Place = NetPlace | { scheme: 'unix'; path: string };

const NET = /^(tcp|ws|h2|grpc):\/\/(\[[0-9a-fA-F:]+\]|[\w.-]+):(\d{1,5})\/?$/;
const LOOPBACK: Readonly<Record<string, string>> = { '127.0.0.1': '127.0.0.1', '::1': '::1', localhost: '127.0.0.1' };
const PORT_MAX = 65_535;

export function parseAddress(address: string): Place {
  if (address.startsWith('unix:') && address.length > 'unix:'.length) {
    return { scheme: 'unix', path: address.slice('unix:'.length) };
  }
  const [, scheme, name = '', digits] = NET.exec(address) ?? [];
  const port = Number(digits);
  if (scheme === undefined || port > PORT_MAX) {
    const known = 'tcp://HOST:PORT, unix:PATH, ws://HOST:PORT, h2://HOST:PORT or grpc://HOST:PORT';
    throw new BatonError('USAGE', `${address} is no address: name ${known}`, { address });
  }
  const host = LOOPBACK[name.replace(/^\[|\]$/g, '')];
  if (host === undefined) {
    const reason = `${name} is not this machine alone, and sessions are served on loopback only; from elsewhere use the address of baton serve with --tls-cert and --tls-key`;
    throw new BatonError('USAGE', reason, { address });
  }
  return { scheme: scheme as NetPlace['scheme'], host, port };
}

export function addressOf(place: NetPlace): string {
  return urlOf(place.scheme, place);
}

/** As the libraries of a transport want it spelt. */
export function urlOf(scheme: string, { host, port }: NetPlace): string {
  return `${scheme}://${hostAndPort(host, port)}`;
}

export function hostAndPort(host: string, port: number): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}
