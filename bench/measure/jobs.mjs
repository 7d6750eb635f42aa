// Jobs as `baton run` and `job run --watch` drive them: the whole program on a real home, agents that answer at once.
import { execFileSync } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** One step is one phase: asked, answered, read, kept. */
export const PHASES = 2;
const ANSWER = { action: 'COMPLETED', evidence_files: [], summary_for_supervisor: 'Done.' };
const NO_LIMITS = { cost_usd: 0, time_minutes: 0, tokens: 0, interactions: 0 };

/** An agent works on four jobs at a time: so many of them never wait for each other. */
const AGENTS = 25;

/** A home with agents that complete every phase, and how it is opened. */
export function jobsHome(baton, home, { writer = 'main' } = {}) {
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const agents = Array.from({ length: AGENTS }, (_, number) => {
    const script = path.join(home, `completes-${number}.json`);
    writeFileSync(script, JSON.stringify({ answers: [{ answer: ANSWER }] }));
    return `scripted:${script}`;
  });
  return {
    home,
    agents,
    open: () => baton.openBaton({ home, env: process.env, writer, cwd: home, drives: true, claimsAny: true }),
  };
}

/** A job of two phases, or of what `more` says, from its submission to its rest. */
export async function runJob({ jobs, engine }, agent, more = {}) {
  const options = { prompt: 'Do it.', agent, supervisor: agent, limits: NO_LIMITS, activate: true, ...more };
  const { job_id: run } = await jobs.create(options, { actor: 'bench' });
  const { status } = await engine.rested(run);
  if (status !== 'SUCCESS') throw new Error(`${run} ended as ${status}`);
  return run;
}

/** Steps per second of so many jobs, so many at a time, until the last file of theirs is durable. */
export async function jobRate({ open, agents }, { count, atOnce, ...more }) {
  const opened = await open();
  let left = count;
  const started = process.hrtime.bigint();
  const work = async () => {
    while (left > 0) {
      left -= 1;
      await runJob(opened, agents[left % agents.length], more);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  await opened.close();
  return ((count * PHASES) / Number(process.hrtime.bigint() - started)) * 1e9;
}

/** Returns its folder. */
export function smallRepository(folder) {
  const git = (...args) => execFileSync('git', ['-c', 'user.name=bench', '-c', 'user.email=bench', ...args]);
  git('init', '-q', folder);
  for (const name of ['README.md', 'add.js', 'add.test.js']) writeFileSync(path.join(folder, name), `${name}\n`);
  git('-C', folder, 'add', '.');
  git('-C', folder, 'commit', '-q', '-m', 'first');
  return folder;
}

/** From now on: in which share of the time at least one child process runs. With scripted agents all of them are git. */
export function gitShare() {
  let running = 0;
  let since = 0n;
  let busy = 0n;
  const started = process.hrtime.bigint();
  const onSpawn = ({ process: child }) => {
    if (running === 0) since = process.hrtime.bigint();
    running += 1;
    child.once('exit', () => {
      running -= 1;
      if (running === 0) busy += process.hrtime.bigint() - since;
    });
  };
  subscribe('child_process', onSpawn);
  return {
    end() {
      unsubscribe('child_process', onSpawn);
      return Number(busy) / Number(process.hrtime.bigint() - started);
    },
  };
}
