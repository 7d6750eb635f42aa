import type { JobAct, JobView, RecoveryPoint } from '../../../client/index.js';
import { quoted } from '../../parts/quoted.js';

export type Values = Readonly<Record<string, string>>;
export type Field = {
  name: string;
  label: string;
  kind: 'words' | 'text' | 'number' | 'yes';
  /** One of these; then the first is the default. */
  options?: readonly { value: string; label: string }[];
  needed?: true;
};
/** Something that can be done with a job. `why` says why it cannot be done now; undefined when it can. */
export type Act = {
  name: JobAct | 'land' | 'fork';
  label: string;
  does: string;
  why: string | undefined;
  /** Ends something that cannot be begun again: it asks once more. */
  ends?: true;
  fields: readonly Field[];
  body(values: Values): Record<string, unknown>;
  flags(values: Values): string;
};
type Facts = { view: JobView; may: readonly string[] };

const FINAL = new Set(['SUCCESS', 'CANCELED']);
const MOVABLE = new Set(['resting', 'queued', 'pausing', 'approving']);

/** What the role of whoever looks allows, whether it is possible now or not. */
export function actsOf(facts: Facts): readonly Act[] {
  return [...ofWork(facts), ...ofCourse(facts), ...ofPoints(facts), ...ofEnd(facts)]
    .filter(({ verb }) => facts.may.includes(verb))
    .map(({ verb: _, ...act }) => act);
}

type Known = Act & { verb: string };
const PLAINLY = { fields: [], body: () => ({}), flags: () => '' };
const GUIDANCE: Field = { name: 'guidance', label: 'What it should do differently', kind: 'words', needed: true };
const guidanceFlag = ({ guidance = '' }: Values) => (guidance === '' ? '' : ` --guidance ${quoted(guidance)}`);
const phaseFlag = ({ phase = '' }: Values) => (phase === '' ? '' : ` --phase ${quoted(phase)}`);
const guided = ({ guidance = '', phase = '' }: Values) => ({
  ...(guidance !== '' && { guidance }),
  ...(phase !== '' && { phase }),
});

function isDone(view: JobView): string | undefined {
  return FINAL.has(view.status) ? `It is ${view.status}, which never moves again.` : undefined;
}

/** What brings finished work on. */
function ofWork({ view }: Facts): Known[] {
  const approvable = view.why === 'approval' || view.why === 'protected';
  return [
    {
      ...{ name: 'activate', verb: 'job.activate', label: 'Activate', ...PLAINLY },
      does: 'The draft queues, and begins when a worker is free.',
      why: view.status === 'DRAFT' ? undefined : 'It is active already.',
    },
    {
      ...{ name: 'run', verb: 'job.run', label: 'Run', ...PLAINLY },
      does: 'This server takes it now, if its agent has a free place.',
      why: view.status === 'PENDING' ? undefined : `It is ${view.status}; only what queues is taken.`,
    },
    {
      ...{ name: 'approve', verb: 'job.review', label: 'Approve', ...PLAINLY },
      does: view.why === 'protected' ? 'The changed files count, and it goes on.' : 'The job ends as SUCCESS.',
      why: approvable ? undefined : 'No result waits for a yes.',
    },
    {
      ...{ name: 'reject', verb: 'job.review', label: 'Reject', body: guided },
      does: 'The agent gets your words and works again. This costs another handoff.',
      why: approvable ? undefined : 'No result waits for a yes.',
      fields: [GUIDANCE, phaseField(view)],
      flags: (values) => guidanceFlag(values) + phaseFlag(values),
    },
    {
      ...{ name: 'land', verb: 'job.land', label: 'Land' },
      does: 'The work is merged beside your checkout, checked there, and then the branch moves.',
      why: whyNotLand(view),
      fields: [
        { name: 'into', label: 'Into branch (the one it began on)', kind: 'text' },
        { name: 'squash', label: 'As one commit', kind: 'yes' },
      ],
      body: ({ into = '', squash }) => ({ ...(into !== '' && { into }), ...(squash === 'yes' && { squash: true }) }),
      flags: ({ into = '', squash }) =>
        `${into === '' ? '' : ` --into ${quoted(into)}`}${squash === 'yes' ? ' --squash' : ''}`,
    },
  ];
}

function whyNotLand({ status, order, landing }: JobView): string | undefined {
  if (order.repository === null) return 'It has no repository to land in.';
  if (status !== 'SUCCESS') return `It is ${status}; only finished work is landed.`;
  if (landing?.status === 'landed') return 'It is landed.';
  return landing?.status === 'landing' ? 'It is being landed.' : undefined;
}

/** What steers it on its way. */
function ofCourse({ view }: Facts): Known[] {
  const rests = view.status === 'INTERVENTION_REQUIRED' && view.stage === 'resting';
  return [
    {
      ...{ name: 'tell', verb: 'job.tell', label: 'Tell the agent' },
      does: 'Heard at the next handoff. Now: the present one ends, and begins anew with your words.',
      why: isDone(view) ?? (rests ? 'It rests; resubmit it with guidance.' : undefined),
      fields: [
        { name: 'text', label: 'What the agent is told', kind: 'words', needed: true },
        { name: 'now', label: 'Now, without waiting for its answer', kind: 'yes' },
      ],
      body: ({ text = '', now }) => ({ text, ...(now === 'yes' && { now: true }) }),
      flags: ({ text = '', now }) => ` ${quoted(text || '…')}${now === 'yes' ? ' --now' : ''}`,
    },
    {
      ...{ name: 'resubmit', verb: 'job.rule', label: 'Resubmit', body: guided },
      does: 'The phase is asked again, with your words as guidance.',
      why: isDone(view) ?? (rests ? undefined : 'It does not rest for a person.'),
      fields: [GUIDANCE, phaseField(view)],
      flags: (values) => guidanceFlag(values) + phaseFlag(values),
    },
    {
      ...{ name: 'raise', verb: 'job.raise', label: 'Raise limits' },
      does: 'New totals. A job that stopped at a limit goes on where it stopped.',
      why: isDone(view),
      fields: [
        { name: 'cost_usd', label: 'Cost in $', kind: 'number' },
        { name: 'time_minutes', label: 'Active time in minutes', kind: 'number' },
        { name: 'tokens', label: 'Tokens', kind: 'number' },
      ],
      body: raised,
      flags: ({ cost_usd = '', time_minutes = '', tokens = '' }) =>
        [
          cost_usd && ` --max-cost ${cost_usd}`,
          time_minutes && ` --max-time ${time_minutes}m`,
          tokens && ` --tokens ${tokens}`,
        ].join(''),
    },
  ];
}

function raised(values: Values): Record<string, unknown> {
  const said = ['cost_usd', 'time_minutes', 'tokens'].filter((name) => (values[name] ?? '') !== '');
  return Object.fromEntries(said.map((name) => [name, Number(values[name])]));
}

/** What goes back to a point, or begins there. */
function ofPoints({ view }: Facts): Known[] {
  const points = view.points.filter(({ commit }) => commit !== null).toReversed();
  const noPoint = pointProblem(view, points);
  const to: Field = { name: 'to', label: 'Recovery point', kind: 'text', options: points.map(pointOption) };
  const flags = ({ to: point = '' }: Values) => (point === '' ? '' : ` --to ${point}`);
  const body = ({ to: point = '' }: Values) => (point === '' ? {} : { to: point });
  const busy = MOVABLE.has(view.stage) ? undefined : 'Somebody works on it; wait, or cancel it.';
  return [
    {
      ...{ name: 'rollback', verb: 'job.rollback', label: 'Roll back', fields: [to], body, flags },
      does: 'All files of the workspace become what they were at the point. Later work stays in the log.',
      why: isDone(view) ?? noPoint ?? busy,
    },
    {
      ...{ name: 'checkpoint', verb: 'job.rollback', label: 'Take a recovery point' },
      does: 'The workspace as the last handoff left it can be gone back to.',
      why: isDone(view) ?? (view.commit === null ? 'There is no workspace with files yet.' : undefined),
      fields: [{ name: 'description', label: 'What it is', kind: 'text' }],
      body: ({ description = '' }) => (description === '' ? {} : { description }),
      flags: ({ description = '' }) => (description === '' ? '' : ` --description ${quoted(description)}`),
    },
    {
      ...{ name: 'fork', verb: 'job.fork', label: 'Fork', fields: [to], body, flags },
      does: 'A new job begins with the files of the point. This one is left alone.',
      why: noPoint,
    },
    {
      ...{ name: 'rerun', verb: 'job.rule', label: 'Run again', ...PLAINLY },
      does: 'It begins again at its first phase. What was spent counts from zero.',
      why: isDone(view) ?? (view.status === 'DRAFT' ? 'It has not begun.' : busy),
    },
  ];
}

function ofEnd({ view }: Facts): Known[] {
  return [
    {
      ...{ name: 'cancel', verb: 'job.cancel', label: 'Cancel the job', ends: true, ...PLAINLY },
      does: 'Whoever works on it is stopped. It ends as CANCELED; branch and log are kept.',
      why: isDone(view),
    },
  ];
}

export function pointProblem({ order }: JobView, points: readonly RecoveryPoint[]): string | undefined {
  if (order.repository === null) return 'It has no repository, so there are no files to begin with.';
  return points.length === 0 ? 'There is no recovery point yet.' : undefined;
}

function pointOption({ id, description }: RecoveryPoint): { value: string; label: string } {
  return { value: id, label: `${id}, ${description}` };
}

function phaseField({ order, current_phase }: JobView): Field {
  const usual = { value: '', label: `The usual one (${current_phase ?? 'the first'})` };
  const options = [usual, ...order.phases.map(({ name }) => ({ value: name, label: name }))];
  return { name: 'phase', label: 'Phase it goes on with', kind: 'text', options };
}

export function commandOf(job: string, { name, flags }: Pick<Act, 'name' | 'flags'>, values: Values): string {
  return `baton job ${name} ${job}${flags(values)}`;
}
