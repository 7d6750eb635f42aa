// `npm start`: from a fresh clone to the main job, with no other command.
import { buildIfStale, installDependencies, run } from './setup.mjs';

installDependencies();
await buildIfStale();
run(process.execPath, ['examples/first-job/first-job.mjs', ...process.argv.slice(2)]);
