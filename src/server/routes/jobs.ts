import { jobAct } from '../../contracts/api/job-act.js';
import { jobOrder } from '../../contracts/api/job-order.js';
import type { JobActBody } from '../../contracts/generated/types/job-act.js';
import type { JobOrderBody } from '../../contracts/generated/types/job-order.js';
import { parseCommandLine } from '../../contracts/shared/command-line.js';
import { BatonError } from '../../contracts/shared/errors.js';
import type { Verb } from '../../core/access/role.js';
import { handoffIn } from '../../engine/job/hand-in.js';
import { JOB_ACTS, type JobAct, type Said } from '../../engine/job/job-acts.js';
import type { JobOptions } from '../../engine/job/job-options.js';
import { checkPhases } from '../../engine/job/phase-options.js';
import { refuseOthersAnswer, refuseOwnWork } from '../guard/own-work.js';
import { type Asked, type Route, route, withBody } from '../route.js';
import { jobCardRoutes } from './job-cards.js';
import { limitsIn } from './limits-in.js';

const JOB = '/api/v1/jobs/:id';

const create = withBody({
  ...{ method: 'POST', path: '/api/v1/jobs', verb: 'job.create', summary: 'Make a job.', body: jobOrder, status: 201 },
  async answer({ baton, body, by, repeated }: Asked<JobOrderBody>) {
    if (repeated !== null) return baton.jobs.show(repeated);
    const { options } = await baton.withDefaults(optionsOf(body), null);
    return baton.jobs.create({ ...options, activate: body.activate === true }, by);
  },
});

/** Whose role each act needs: what moves an agent on is the orchestrator's, what judges its work is a person's. */
const ACT_VERBS: Readonly<Record<JobAct, Verb>> = {
  activate: 'job.activate',
  cancel: 'job.cancel',
  tell: 'job.tell',
  approve: 'job.review',
  reject: 'job.review',
  resubmit: 'job.rule',
  terminate: 'job.rule',
  raise: 'job.raise',
  rollback: 'job.rollback',
  checkpoint: 'job.rollback',
  restep: 'job.rule',
  rerun: 'job.rule',
  rank: 'job.rank',
};

/** What judges work: not for whoever did it, and what answers a question, not for whoever had it done. */
const ANSWERS: ReadonlySet<Verb> = new Set<Verb>(['job.review', 'job.rule', 'job.raise']);
const JUDGES: ReadonlySet<Verb> = new Set<Verb>([...ANSWERS, 'job.rollback']);

const acts = (Object.keys(JOB_ACTS) as JobAct[]).map((act) =>
  withBody({
    ...{ method: 'POST', path: `${JOB}/${act}`, verb: ACT_VERBS[act], summary: `baton job ${act}`, body: jobAct },
    async answer({ baton, params: { id = '' }, body, by, who, repeated }: Asked<JobActBody>) {
      const verb = ACT_VERBS[act];
      if (JUDGES.has(verb)) await refuseOwnWork(baton, who, id, { answers: ANSWERS.has(verb) });
      if (repeated === null) await baton.act(id, act, saidIn(body), by);
      return baton.jobs.show(id);
    },
  }),
);

/** Whoever of the workers is free takes it, until it rests or for one handoff; 202: it has begun, not ended. */
const run = (verb: 'run' | 'step') =>
  withBody({
    ...{
      method: 'POST',
      path: `${JOB}/${verb}`,
      verb: 'job.run',
      summary: `baton job ${verb}`,
      body: jobAct,
      status: 202,
    },
    async answer({ baton, params: { id = '' }, by, repeated }: Asked<JobActBody>) {
      if (repeated === null) await baton.jobs.go(id, verb === 'step' ? 1 : null, by);
      await baton.engine.drive(id);
      return baton.jobs.show(id);
    },
  });

const poststep = withBody({
  ...{ method: 'POST', path: `${JOB}/poststep`, verb: 'job.poststep', summary: 'Hand in an answer.', body: jobAct },
  async answer({ baton, params: { id = '' }, body, by, who }: Asked<JobActBody>) {
    const { role, response, handoff = null } = body;
    if (role === undefined || response === undefined) throw new BatonError('USAGE', 'name role and response');
    if (role !== 'Worker' && who.role === 'worker') {
      throw new BatonError('FORBIDDEN', `${who.name} is worker; an answer of ${role} is for supervisor`, {
        needed: 'supervisor',
      });
    }
    await refuseOthersAnswer(baton, who, id, role);
    const text = typeof response === 'string' ? response : JSON.stringify(response);
    if (body.dry_run === true) {
      const { object, checks } = await baton.previewAnswer(id, { role, text, handoff: handoffIn(id, handoff) });
      return { ...object, checks };
    }
    const { repeated } = await baton.handIn(id, { role, text, handoff }, by);
    return { ...(await baton.jobs.show(id)), repeated };
  },
});

const fork = withBody({
  ...{ method: 'POST', path: `${JOB}/fork`, verb: 'job.fork', summary: 'A new job from a recovery point.' },
  ...{ body: jobAct, status: 201 },
  answer({ baton, params: { id = '' }, body, by, repeated }: Asked<JobActBody>) {
    if (repeated !== null) return baton.jobs.show(repeated);
    const { to = null, id: name, prompt } = body;
    const how = { point: to, ...by, ...(name !== undefined && { id: name }) };
    return baton.jobs.fork(id, { ...how, ...(prompt !== undefined && { prompt }) });
  },
});

const land = withBody({
  ...{ method: 'POST', path: `${JOB}/land`, verb: 'job.land', summary: 'Bring finished work home.', body: jobAct },
  async answer({ baton, params: { id = '' }, body, by, who }: Asked<JobActBody>) {
    await refuseOwnWork(baton, who, id, { answers: false });
    const how = { into: body.into ?? null, squash: body.squash === true };
    const landing = await baton.landings.begin(id, how, by.actor, by.key);
    await baton.engine.drive(landing);
    // The job is what it was; its landing is a run of its own.
    return { ...(await baton.jobs.show(id)), landing };
  },
});

const looking = (part: string, summary: string, tell: (asked: Asked, id: string) => Promise<unknown>): Route =>
  route({
    ...{ method: 'GET', path: `${JOB}${part}`, verb: 'look', summary },
    answer: (asked) => tell(asked, asked.params.id ?? ''),
  });

export const jobRoutes: readonly Route[] = [
  ...jobCardRoutes,
  create,
  ...acts,
  run('run'),
  run('step'),
  poststep,
  fork,
  land,
  looking('', 'How a job stands.', ({ baton }, id) => baton.jobs.show(id)),
  looking('/history', 'Every interaction.', ({ baton }, id) => baton.history(id)),
];

const PLAIN = [
  ...(['prompt', 'id', 'name', 'description', 'agent', 'supervisor', 'workflow', 'repo', 'base', 'dirty'] as const),
  ...([
    'project',
    'paths',
    'protect',
    'env',
    'lock',
    'after',
    'verify',
    'approve',
    'fallback',
    'rank',
    'timeout_seconds',
  ] as const),
] as const;

function optionsOf(body: JobOrderBody): JobOptions {
  const { setup, checks, net, phases } = body;
  const plain = PLAIN.flatMap((name) => (body[name] === undefined ? [] : [[name, body[name]]]));
  return {
    ...(Object.fromEntries(plain) as Pick<JobOptions, 'prompt'>),
    ...(setup !== undefined && { setup: wordsOf(setup) }),
    ...(checks && { checks: checks.map(wordsOf) }),
    ...(net && { network: net }),
    ...(phases && { phases: checkPhases(phases) }),
    limits: limitsIn(body),
  };
}

function wordsOf(command: string | readonly string[]): readonly string[] {
  return typeof command === 'string' ? parseCommandLine(command) : command;
}

function saidIn({ guidance, phase, text, now, to, step, files, description, rank, ...limits }: JobActBody): Said {
  const said = { guidance, phase, text, now, to, step, files, description, rank };
  return {
    ...(Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined)) as Said),
    limits: limitsIn(limits),
  };
}
