import type { Probe } from './probe.js';

const PACKAGE_MANAGERS = [
  ['apt-get', 'apt-get install -y'],
  ['dnf', 'dnf install -y'],
  ['apk', 'apk add'],
  ['pacman', 'pacman -S --noconfirm'],
  ['zypper', 'zypper install -y'],
] as const;

/** The command that installs a system package here. */
export async function installLine(probe: Probe, name: string): Promise<string> {
  if (probe.platform === 'darwin') return `brew install ${name}`;
  for (const [manager, command] of PACKAGE_MANAGERS) {
    if (await probe.find(manager)) return `${probe.uid === 0 ? '' : 'sudo '}${command} ${name}`;
  }
  return `install ${name} with your package manager`;
}
