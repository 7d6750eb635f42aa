import { BlockList, isIP } from 'node:net';
import type { networkInterfaces } from 'node:os';

export type Interfaces = ReturnType<typeof networkInterfaces>;

/** Whether an address is of this machine or beside it. Its number may be public all the same, as most of IPv6 are. */
export function isInOwnNetwork(address: string, interfaces: Interfaces): boolean {
  const networks = new BlockList();
  for (const { cidr } of Object.values(interfaces).flatMap((one) => one ?? [])) {
    const [network = '', prefix = 0] = cidr?.split('/') ?? [];
    if (Number(prefix) > 0) networks.addSubnet(network, Number(prefix), familyOf(network));
  }
  return networks.check(address, familyOf(address));
}

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 6 ? 'ipv6' : 'ipv4');
