/** Stands in for a Baton that is killed while sandboxed commands run. */
import { bwrapSandbox } from '../../src/sandbox/modes/bwrap.js';
import { Scene } from './scene.js';

const [program = '', token = '', count = '1', part = 'run'] = process.argv.slice(2);
const scene = new Scene();
// A daemon in a session of its own and without a mark is what nothing but the kernel finds.
const script = `env -i setsid sleep 298.${token} & setsid sh -c 'sleep 298.${token}' & sleep 298.${token}`;
const sandbox = bwrapSandbox({ program });
const { table } = scene.gate;
/** Its row is never written: the command waits behind the gate, inside. */
const held = { ...scene.gate, table: { ...table, add: () => new Promise<boolean>(() => {}) } };

const gate = part === 'hold' ? held : scene.gate;
const all = Array.from({ length: Number(count) }, () => scene.spawn(sandbox, ['sh', '-c', script], {}, { gate }));
if (part === 'run') await Promise.all(all);
process.stdout.write(`${JSON.stringify({ folder: scene.folder, stranger: scene.stranger.pid })}\n`);
setInterval(() => {}, 1_000);
