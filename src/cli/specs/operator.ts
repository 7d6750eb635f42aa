import type { CommandSpec, OptionSpec } from '../command.js';

const RUN = { positionals: 'RUN', arity: { min: 1, max: 1 } };
const RUN_TASK = { positionals: 'RUN TASK', arity: { min: 2, max: 2 } };
const RUN_FILE = { positionals: 'RUN FILE|-', arity: { min: 2, max: 2 } };

const OWNER: OptionSpec = { type: 'string', value: 'NAME', help: 'Who works on it' };
const EPOCH: OptionSpec = { type: 'string', value: 'N', help: 'The number of the claim; none after assign' };

/** How an operator run is made. */
const MAKING: Readonly<Record<string, OptionSpec>> = {
  repo: { type: 'string', value: 'DIR', help: 'The repository; default the one around this folder' },
  agent: { type: 'string', value: 'AGENT', help: 'Who does tasks that name nobody' },
  planner: { type: 'string', value: 'AGENT', help: 'Who plans, and again when tasks are blocked' },
  fallback: { type: 'string', value: 'AGENT', help: 'Who does what that one could not' },
  concurrency: { type: 'string', value: 'N', help: 'Tasks at work at once; default what the plan says, or 4' },
  project: { type: 'string', value: 'NAME', help: 'Who pays; default the name of the repository' },
  env: { type: 'string', multiple: true, value: 'NAME', help: 'Environment variable that agents get' },
  net: { type: 'string', multiple: true, value: 'HOST', help: 'Host that agents may reach' },
  'max-cost': { type: 'string', value: 'USD|none', help: 'Of all tasks together' },
  'max-time': { type: 'string', value: '45m|none', help: 'Of all tasks together' },
  'max-tokens': { type: 'string', value: 'N|none', help: 'Of all tasks together' },
};

/** In the order of the help. */
export const operatorSpecs: readonly CommandSpec[] = [
  {
    name: 'operator init',
    summary: 'Open a ledger from a plan, without beginning',
    positionals: '[PLAN|-]',
    arity: { min: 0, max: 1 },
    options: { ...MAKING, handoff: { type: 'string', value: 'FILE|-', help: 'Go on from a handoff bundle instead' } },
    examples: ['baton operator init plan.json --repo .', 'baton operator init --handoff bundle.json --repo .'],
  },
  {
    name: 'operator plan',
    summary: 'Let an agent make the plan; nothing is begun',
    positionals: '"OBJECTIVE"|RUN|-',
    arity: { min: 1, max: 1 },
    options: MAKING,
    examples: ['baton operator plan "Move the API to v2" --planner claude --agent codex'],
  },
  {
    name: 'operator run',
    summary: 'Run a plan, or a ledger, until nothing more can be done',
    positionals: 'PLAN|RUN',
    arity: { min: 1, max: 1 },
    options: MAKING,
    examples: ['baton operator run plan.json --agent codex --concurrency 4'],
    first: true,
  },
  {
    ...{ name: 'operator ledger', summary: 'How the tasks of a run stand', ...RUN, first: true },
    options: { all: { type: 'boolean', help: 'Also every task that is done' } },
    examples: ['baton operator ledger 3f56dc4d'],
  },
  {
    ...{ name: 'operator locks', summary: 'Who has which paths', ...RUN },
    examples: ['baton operator locks 3f56dc4d'],
  },
  {
    ...{ name: 'operator worklog', summary: 'What was done for a task, or for all' },
    ...{ positionals: 'RUN [TASK]', arity: { min: 1, max: 2 } },
    options: { log: { type: 'boolean', help: 'What the agent printed in its last try' } },
    examples: ['baton operator worklog 3f56dc4d T-12', 'baton operator worklog 3f56dc4d T-12 --log'],
  },
  {
    ...{ name: 'operator assign', summary: 'Give a task to somebody, and print its packet', ...RUN_TASK },
    options: { owner: OWNER },
    examples: ['baton operator assign 3f56dc4d T-12 --owner eva'],
  },
  {
    ...{ name: 'operator claim', summary: 'Take the next task there is, with a fencing token', ...RUN },
    options: { owner: OWNER },
    examples: ['baton operator claim 3f56dc4d --owner worker-3'],
  },
  {
    ...{ name: 'operator heartbeat', summary: 'Say that a task is still worked on', ...RUN_TASK },
    options: { epoch: EPOCH, at: { type: 'string', value: 'TIME', help: 'When, by the clock of whoever works' } },
    examples: ['baton operator heartbeat 3f56dc4d T-12 --epoch 7'],
  },
  {
    ...{ name: 'operator result', summary: 'Hand in the result of a task', ...RUN_FILE },
    options: { epoch: EPOCH },
    examples: ['baton operator result 3f56dc4d result.json --epoch 7'],
  },
  {
    ...{ name: 'operator delta', summary: 'Change rows of the ledger', ...RUN_FILE },
    examples: ['baton operator delta 3f56dc4d deltas.json'],
  },
  {
    ...{ name: 'operator tick', summary: 'Look now who sent no heartbeat in time', ...RUN },
    examples: ['baton operator tick 3f56dc4d'],
  },
  {
    ...{ name: 'operator reconcile', summary: 'Look for contradictions in the ledger', ...RUN },
    examples: ['baton operator reconcile 3f56dc4d'],
  },
  {
    ...{ name: 'operator handoff', summary: 'Print everything a fresh orchestrator needs', ...RUN },
    examples: ['baton operator handoff 3f56dc4d > bundle.json'],
  },
];
