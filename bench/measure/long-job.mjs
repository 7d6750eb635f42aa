// A job that its supervisor sends back again and again: its steps at the beginning and at the end, and what reads it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { jobsHome } from './jobs.mjs';
import { elapsedMs, interleave, spread } from './ratio.mjs';

const BIN = fileURLToPath(new URL('../../bin/baton.cjs', import.meta.url));
const FEW = 10;
/** Interactions of which a rate is taken. */
const STRETCH = 300;
const NO_LIMITS = { cost_usd: 0, time_minutes: 0, tokens: 0, interactions: 0 };
const said = (action) => ({ action, evidence_files: [], summary_for_supervisor: `${action}: go on.` });

export async function longJob({ baton, folder, rounds, interactions }) {
  const { home, open } = jobsHome(baton, path.join(folder, 'long'));
  const script = path.join(home, 'sends-back.json');
  const answers = [{ when: { role: 'Supervisor' }, answer: said('RETRY') }, { answer: said('COMPLETED') }];
  writeFileSync(script, JSON.stringify({ answers }));
  const opened = await open();
  const job = (id) => new SentBack(opened, `scripted:${script}`, id);
  const few = await job('few').begin();
  await few.goOnTo(FEW);
  const many = await job('many').begin();
  const first = await many.rate(STRETCH);
  await many.goOnTo(interactions - STRETCH);
  const last = await many.rate(STRETCH);
  await opened.close();

  const size = statSync(path.join(home, 'jobs/many/jobHistory.json')).size;
  console.log(`\na job of ${many.interactions} interactions beside one of ${few.interactions}, ${rounds} rounds`);
  console.log(`  steps/s at its beginning and its end   ${first.toFixed(0)} and ${last.toFixed(0)}`);
  await history({ baton, home, rounds, size });
  for (const [command, goal] of [
    [['show', 'ID'], 'goal ≤ 2'],
    [['show', 'ID', '--json'], 'goal ≤ 2'],
    [['history', 'ID', '--json'], ''],
    [['replay', 'ID'], ''],
  ]) {
    const run = (id) => elapsedMs(() => cli(home, ['job', ...command.map((word) => (word === 'ID' ? id : word))]));
    const { ratios, baselines, values } = await interleave(rounds, () => run('few'), { many: () => run('many') });
    const name = `job ${command.filter((word) => word !== 'ID').join(' ')}`.padEnd(20);
    const times = `${spread(baselines, 0)} and ${spread(values.get('many'), 0)} ms`;
    console.log(`  ${name} ${times}   ${spread(ratios.get('many'))} x   ${goal}`);
  }
}

/** The file is copied and its end changed, as after each handoff. */
async function history({ baton, home, rounds, size }) {
  const file = path.join(home, 'jobs/many/jobHistory.json');
  const files = new baton.NodeHistoryFiles();
  const { tail } = await files.examine(file);
  const none = async function* () {};
  const taken = [];
  for (let round = 0; round < rounds; round += 1) taken.push(await elapsedMs(() => files.extend(file, none(), tail)));
  console.log(`  jobHistory.json of ${(size / 1e6).toFixed(1)} MB: one more write ${spread(taken, 0)} ms`);
}

/** A person answers whenever it was sent back three times. */
class SentBack {
  #opened;
  #agent;
  #id;
  interactions = 0;

  constructor(opened, agent, id) {
    this.#opened = opened;
    this.#agent = agent;
    this.#id = id;
  }

  async begin() {
    const { jobs, engine } = this.#opened;
    const who = { agent: this.#agent, supervisor: this.#agent };
    await jobs.create({ prompt: 'Do it.', id: this.#id, ...who, limits: NO_LIMITS, activate: true }, ACTOR);
    await engine.rested(this.#id);
    await this.#count();
    return this;
  }

  async goOnTo(interactions) {
    const { jobs, engine } = this.#opened;
    while (this.interactions < interactions) {
      await jobs.send(this.#id, { type: 'Resubmit', guidance: null, phase: null }, ACTOR);
      await engine.rested(this.#id);
      await this.#count();
    }
  }

  async rate(interactions) {
    const before = this.interactions;
    const ms = await elapsedMs(() => this.goOnTo(before + interactions));
    return ((this.interactions - before) / ms) * 1_000;
  }

  async #count() {
    this.interactions = (await this.#opened.jobs.state(this.#id)).sequence;
  }
}

const ACTOR = { actor: 'bench' };

async function cli(home, args) {
  const child = spawn(process.execPath, [BIN, ...args], {
    env: { ...process.env, BATON_HOME: home },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`baton ${args.join(' ')} ended with ${code}`);
}
