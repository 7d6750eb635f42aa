// Loaded with --import: kills the program before its n-th change of a file's name.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

let left = Number(process.env.KILL_AT);

function counted(act) {
  return (file, ...rest) => {
    if (!fs.existsSync(file)) return act(file, ...rest);
    left -= 1;
    if (left === 0) process.kill(process.pid, 'SIGKILL');
    fs.appendFileSync(process.env.KILL_LOG, '1\n');
    return act(file, ...rest);
  };
}

fs.renameSync = counted(fs.renameSync);
fs.rmSync = counted(fs.rmSync);
syncBuiltinESMExports();
