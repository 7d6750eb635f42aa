// `npm run bench -- NAME… [--rounds N]`: runs bench/NAME.mjs, or all of them.
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { buildIfStale, installDependencies, ROOT, run } from './setup.mjs';

const { names, rest } = split(process.argv.slice(2));
const all = readdirSync(path.join(ROOT, 'bench'))
  .filter((file) => file.endsWith('.mjs'))
  .map((file) => file.replace('.mjs', ''));
const unknown = names.find((name) => !all.includes(name));
if (unknown) {
  console.error(`no benchmark named ${unknown}; there are: ${all.join(', ')}`);
  process.exit(2);
}

installDependencies();
installDependencies(path.join(ROOT, 'test/tools'));
await buildIfStale();
for (const name of names.length > 0 ? names : all) run(process.execPath, [`bench/${name}.mjs`, ...rest]);

function split(argv) {
  const options = argv.findIndex((word) => word.startsWith('--'));
  return options === -1 ? { names: argv, rest: [] } : { names: argv.slice(0, options), rest: argv.slice(options) };
}
