import { BlockList, isIP } from 'node:net';

/** Ranges that lead to this machine, to its network, or nowhere (IANA special-purpose registries). */
const NOT_PUBLIC: Record<'ipv4' | 'ipv6', readonly [network: string, prefix: number][]> = {
  ipv4: [
    ['0.0.0.0', 8],
    ['10.0.0.0', 8],
    ['100.64.0.0', 10],
    ['127.0.0.0', 8],
    ['169.254.0.0', 16],
    ['172.16.0.0', 12],
    ['192.0.0.0', 24],
    ['192.0.2.0', 24],
    ['192.88.99.0', 24],
    ['192.168.0.0', 16],
    ['198.18.0.0', 15],
    ['198.51.100.0', 24],
    ['203.0.113.0', 24],
    ['224.0.0.0', 4],
    ['240.0.0.0', 4],
  ],
  // Only 2000::/3 is given out; in it are ranges that carry an IPv4 address or are for examples.
  ipv6: [
    ['::', 3],
    ['2001::', 23],
    ['2001:db8::', 32],
    ['2002::', 16],
    ['3fff::', 20],
    ['4000::', 2],
    ['8000::', 1],
  ],
};

/** Two lists, because one compares an IPv4 address with the ranges of IPv6 too. */
const blocked = { ipv4: listOf('ipv4'), ipv6: listOf('ipv6') };

function listOf(family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  for (const [network, prefix] of NOT_PUBLIC[family]) list.addSubnet(network, prefix, family);
  return list;
}

/** Whether a numeric address is one of the public internet. */
export function isPublicAddress(address: string): boolean {
  const version = isIP(address);
  if (version === 0 || address.includes('%')) return false;
  const family = version === 4 ? 'ipv4' : 'ipv6';
  return !blocked[family].check(address, family);
}
