import type { CommandSpec, OptionSpec } from '../command.js';
import { JOB_OPTIONS } from './job-options.js';

const ONE = { positionals: 'ID', arity: { min: 1, max: 1 } };
const GUIDANCE: Readonly<Record<string, OptionSpec>> = {
  guidance: { type: 'string', value: 'TEXT', help: 'What the agent is told' },
  phase: { type: 'string', value: 'PHASE', help: 'Where it goes on' },
};
const POINT: Readonly<Record<string, OptionSpec>> = {
  to: { type: 'string', value: 'POINT', help: 'Which recovery point' },
};

function one(
  verb: string,
  summary: string,
  options: CommandSpec['options'] = {},
  { first = false, words = '' } = {},
): CommandSpec {
  const example = `baton job ${verb} fix-login-7k2${words}`;
  return { name: `job ${verb}`, summary, ...ONE, options, examples: [example], first };
}

const STATUSES = [
  ...['DRAFT', 'PENDING', 'RUNNING', 'REVIEWING', 'INTERVENTION_REQUIRED'],
  ...['HALTED_COST', 'HALTED_TIME', 'SUCCESS', 'CANCELED'],
];

/** In the order of the help. */
export const jobSpecs = [
  {
    name: 'job create',
    summary: 'Make a job without running it',
    positionals: '["PROMPT"|-]',
    arity: { min: 0, max: 1 },
    options: { ...JOB_OPTIONS, activate: { type: 'boolean', help: 'Ready to be run at once' } },
    examples: ['baton job create "Bring the API docs up to date" --agent codex --activate'],
  },
  one('activate', 'Make a draft ready to be run'),
  {
    name: 'job run',
    summary: 'Run a job until it rests; without ID all that are due',
    positionals: '[ID]',
    arity: { min: 0, max: 1 },
    options: { watch: { type: 'boolean', help: 'Keep going and take new jobs as they come' } },
    examples: ['baton job run fix-login-7k2', 'baton job run --watch'],
    first: true,
  },
  one('step', 'Run one handoff of a job'),
  one('cancel', 'End a job for good'),
  {
    name: 'job tell',
    summary: 'Steer an agent that works',
    positionals: 'ID "TEXT"',
    arity: { min: 2, max: 2 },
    options: { now: { type: 'boolean', help: 'Do not wait: begin the phase anew with it' } },
    examples: ['baton job tell fix-login-7k2 "use the new API"', 'baton job tell fix-login-7k2 "stop that" --now'],
  },
  one('open', 'Open its workspace in your editor, or say where it is'),
  one('resubmit', 'Let a job that rests go on', GUIDANCE),
  one('approve', 'Say yes to a job that waits for approval'),
  one('reject', 'Say no, and send it back', GUIDANCE),
  one('terminate', 'End a job that waits for a person'),
  one(
    'raise',
    'Give a job higher limits',
    {
      'max-cost': { type: 'string', value: 'USD|none', help: 'The new total; none or 0 is no limit' },
      'max-time': { type: 'string', value: '45m|none', help: 'The new total; none or 0 is no limit' },
      'max-tokens': { type: 'string', value: 'N|none', help: 'The new total; none or 0 is no limit' },
      'cost-cents': { type: 'string', value: 'N', help: 'As --max-cost, in cents' },
      'time-minutes': { type: 'string', value: 'N', help: 'As --max-time, in minutes' },
      tokens: { type: 'string', value: 'N', help: 'As --max-tokens' },
    },
    { words: ' --max-cost 8' },
  ),
  one(
    'poststep',
    'Hand in the answer that is due, by hand',
    {
      role: { type: 'string', value: 'ROLE', help: 'Whose answer it is' },
      'response-file': { type: 'string', value: 'FILE|-', help: 'One JSON object' },
      handoff: { type: 'string', value: 'KEY', help: 'The handoff it belongs to; default the one that is due' },
      'dry-run': { type: 'boolean', help: 'Show what it would lead to' },
    },
    { words: ' --role Worker --response-file answer.json' },
  ),
  {
    name: 'job list',
    summary: 'List jobs, the newest first',
    options: {
      status: { type: 'string', value: 'STATUS', choices: STATUSES, help: 'Only jobs in this status' },
      agent: { type: 'string', value: 'AGENT', help: 'Only jobs of this agent' },
      search: { type: 'string', value: 'TEXT', help: 'Only jobs with these words' },
      after: { type: 'string', value: 'CURSOR', help: 'Go on behind an earlier list' },
      limit: { type: 'string', short: 'n', value: 'N', help: 'At most so many; default 50' },
    },
    examples: ['baton job list', 'baton job list --status INTERVENTION_REQUIRED --json'],
  },
  one('show', 'How a job stands, and what moves it on', {}, { first: true }),
  one('history', 'Every attempt of a job, as in jobHistory.json'),
  one('log', 'What was said in each attempt', {
    handoff: { type: 'string', value: 'N', help: 'Only this attempt, by its number' },
    follow: { type: 'boolean', short: 'f', help: 'Keep going, with what the agent prints while it works' },
  }),
  one('manifest', 'A job as in job_manifest.json'),
  one('metrics', 'What a job took', { csv: { type: 'boolean', help: 'As one line of numbers under their names' } }),
  one('diff', 'What a job changed'),
  {
    name: 'job replay',
    summary: 'Recompute every move of a history',
    positionals: 'ID|FILE',
    arity: { min: 1, max: 1 },
    options: { until: { type: 'string', value: 'N', help: 'Only the first N interactions' } },
    examples: ['baton job replay fix-login-7k2', 'baton job replay jobHistory.json --until 3'],
  },
  {
    name: 'job export',
    summary: 'Write all of a job into one file',
    positionals: 'ID FILE|-',
    arity: { min: 2, max: 2 },
    examples: ['baton job export fix-login-7k2 fix-login.json'],
  },
  {
    name: 'job import',
    summary: 'Make a draft from a history of elsewhere',
    positionals: 'FILE',
    arity: { min: 1, max: 1 },
    examples: ['baton job import jobHistory.json'],
  },
  one('land', 'Bring a job home: merge, check, move the branch', {
    into: { type: 'string', value: 'REF', help: 'Into which branch; default the one it began on' },
    squash: { type: 'boolean', help: 'As one commit' },
  }),
  {
    name: 'job pr',
    summary: 'Push its branch and open a pull request with gh',
    ...ONE,
    options: { draft: { type: 'boolean', help: 'As a draft; also of work that is not done' } },
    examples: ['baton job pr fix-login-7k2 --draft'],
  },
  {
    name: 'job clean',
    summary: 'Free the disk of ended jobs; work that is in no branch stays',
    positionals: '[ID]',
    arity: { min: 0, max: 1 },
    examples: ['baton job clean fix-login-7k2', 'baton job clean'],
  },
  one('checkpoint', 'Take a recovery point', {
    description: { type: 'string', value: 'TEXT', help: 'What it is' },
    file: { type: 'string', multiple: true, value: 'PATH', help: 'A rollback restores only this file or folder' },
  }),
  one('fork', 'Begin a new job at a point of this one', {
    ...POINT,
    id: { type: 'string', value: 'ID', help: 'Id of the new job' },
  }),
  one('rollback', 'Restore files as they were at a point', {
    ...POINT,
    file: {
      type: 'string',
      multiple: true,
      value: 'PATH',
      help: 'Only this file or folder; default what the point names',
    },
  }),
  one(
    'restep',
    'Set a job to a phase, counters kept',
    {
      step: { type: 'string', value: 'N', help: 'Which phase, from 1' },
    },
    { words: ' --step 1' },
  ),
  one('rerun', 'Begin a job again from its first phase, counters zeroed'),
  {
    name: 'job rank',
    summary: 'Move a job that waits in the queue',
    ...ONE,
    options: { rank: { type: 'string', value: 'N', help: 'Lower ranks first; it may be below 0' } },
    examples: ['baton job rank fix-login-7k2 --rank=-1'],
  },
] as const satisfies readonly CommandSpec[];
