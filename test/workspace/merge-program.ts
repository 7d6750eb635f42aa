/** Merges what it is told on stdin, as a process of its own. */
import { readFileSync } from 'node:fs';
import { LEDGER, TaskStage } from './task-stage.js';

const { repo, home, environment, merges } = JSON.parse(readFileSync(0, 'utf8'));
const stage = new TaskStage();
stage.clear();
Object.assign(stage, { repo, home, environment, run: LEDGER });
process.stdout.write(JSON.stringify(await stage.merge(...merges)));
