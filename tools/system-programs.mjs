// Programs that the tests need and npm does not bring. As root they are installed, else the command that does it is told.
import { execFileSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import path from 'node:path';

/** By program: the package that brings it. Only Linux has them. */
const PROGRAMS = { bwrap: 'bubblewrap', tmux: 'tmux' };

const MANAGERS = {
  'apt-get': ['install', '-y'],
  dnf: ['install', '-y'],
  apk: ['add'],
  pacman: ['-S', '--noconfirm'],
  zypper: ['install', '-y'],
};

export function installSystemPrograms() {
  if (process.platform !== 'linux') return;
  for (const [program, name] of Object.entries(PROGRAMS)) {
    if (!find(program)) install(program, name);
  }
}

function install(program, name) {
  const manager = Object.keys(MANAGERS).find(find);
  if (!manager) fail(`${program} is missing: install the package ${name}`);
  const line = [manager, ...MANAGERS[manager], name];
  if (process.getuid() !== 0) fail(`${program} is missing: sudo ${line.join(' ')}`);
  console.error(`installing ${name}: ${line.join(' ')}`);
  // The list of packages may never have been read here.
  if (!succeeds(line) && manager === 'apt-get') succeeds(['apt-get', 'update']) && succeeds(line);
  if (!find(program)) fail(`${program} is missing, and ${line.join(' ')} did not bring it`);
}

function succeeds([file, ...args]) {
  try {
    execFileSync(file, args, { stdio: ['ignore', 'ignore', 'inherit'] });
    return true;
  } catch {
    return false;
  }
}

function find(program) {
  return (process.env.PATH ?? '').split(path.delimiter).some((folder) => {
    try {
      accessSync(path.join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

function fail(why) {
  console.error(`✗ ${why}`);
  process.exit(1);
}
