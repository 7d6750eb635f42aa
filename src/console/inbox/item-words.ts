import type { InboxItem } from '../../client/index.js';
import { questionFor } from '../session/session-words.js';
import { reachedLimit } from './reached-limit.js';
import { wantedIn } from './session-wanted.js';

const KINDS: Readonly<Record<string, string>> = {
  intervention: 'Intervention',
  approval: 'Result approval',
  exec_approval: 'Command approval',
  patch_approval: 'Patch approval',
  limit: 'Limit',
  login: 'Login',
  landing: 'Landing',
  blocker: 'Blocker',
  protected: 'Protected files',
  clarification: 'Clarification',
  confirmation: 'Confirmation',
};

export function kindWord({ kind, title, details }: InboxItem): string {
  if (isTurn({ kind, title })) return 'Your turn';
  if (kind === 'exec_approval' && typeof details.host === 'string') return 'Network approval';
  return KINDS[kind] ?? kind;
}

/** It is a person's own phase, and not a question about somebody else's. */
export function isTurn({ kind, title }: Pick<InboxItem, 'kind' | 'title'>): boolean {
  return kind === 'intervention' && title.startsWith('your turn');
}

/** An orchestrator asks, and a person answers for the agent. */
export function isOfBridge({ kind, details }: Pick<InboxItem, 'kind' | 'details'>): boolean {
  return kind === 'clarification' && typeof details.request_id === 'string' && typeof details.dir === 'string';
}

/** A session asks whether its model may do something. */
export function isOfSession({ details }: Pick<InboxItem, 'details'>): boolean {
  return details.session === true;
}

/** What kind of run asks. */
export function runWord(item: InboxItem): string {
  if (isOfSession(item)) return 'session';
  if (isOfBridge(item)) return 'bridge';
  const { kind } = item;
  if (kind === 'blocker') return 'operator';
  if (kind === 'clarification' || kind === 'confirmation') return 'envelope';
  return kind === 'landing' ? 'landing' : 'job';
}

/** Why it rests, by the title of its item, as "NAME …. How should it go on?". */
const TROUBLES: Readonly<Record<string, string>> = {
  stuck: 'says it cannot go on',
  'sent back three times': 'was sent back three times in a row',
  schema: 'answered with something else than was agreed',
  action: 'named an action that there is not',
  summary: 'answered without a summary',
  path: 'named a file outside its workspace',
  evidence: 'named files that do not exist',
  network: 'could not be reached',
  auth: 'was refused by its provider',
  'not-found': 'is not installed here',
  'disk-full': 'found the disk full',
  workspace: 'has no workspace it could use',
  timeout: 'did not answer in time',
  crash: 'ended without an answer',
  refused: 'refused the request',
  'the provider asks to wait': 'was told by its provider to wait for long',
};

/** A longer question of an agent stands below as a whole. */
export const QUESTION_SHOWN_MAX = 240;

/** What is asked; of a command it is the command itself that is asked about, which stands below as it is. */
export function questionOf(item: InboxItem): string {
  const { kind, title, question, details } = item;
  const agent = typeof details.agent === 'string' ? details.agent : 'The agent';
  const about = typeof details.about === 'string' ? ` of “${details.about}”` : '';
  const wanted = wantedIn(item);
  if (wanted) return questionFor(wanted);
  switch (kind) {
    case 'patch_approval':
      return 'May it change these files?';
    case 'exec_approval':
      return typeof details.host === 'string' ? 'May it reach this host?' : 'May it run this command?';
    case 'approval':
      return `Approve the result${about}?`;
    case 'protected':
      return `${agent} changed protected files. Allow it?`;
    case 'blocker':
      return `${typeof details.about === 'string' ? details.about : title.replace(/ is blocked$/, '')} is blocked. Who goes on with it?`;
    case 'clarification':
      return isOfBridge(item) ? question : quotedQuestion(question);
    case 'confirmation':
      return stepsQuestion(item);
    case 'login':
      return 'A login does not work. Is it mended?';
    case 'landing':
      return `${title === 'landing conflicts' ? 'The work conflicts with the branch' : 'Checks fail after merging'}. Send it back?`;
    default:
      break;
  }
  if (isTurn(item)) return `${question} Is it done?`;
  if (kind === 'limit' && TROUBLES[title] === undefined) return limitQuestion(item);
  return TROUBLES[title] === undefined ? question : `${agent} ${TROUBLES[title]}. How should it go on?`;
}

/** An agent's own words, which are quoted. */
function quotedQuestion(question: string): string {
  return `“${question.length > QUESTION_SHOWN_MAX ? `${question.slice(0, QUESTION_SHOWN_MAX)}…` : question}”`;
}

function stepsQuestion({ question, details: { steps, hash } }: InboxItem): string {
  if (typeof hash !== 'string' || !Array.isArray(steps)) return quotedQuestion(question);
  return steps.length === 1 ? 'Run this step?' : `Run these ${steps.length} steps?`;
}

function limitQuestion(item: InboxItem): string {
  const { name, limit, shown, unit } = reachedLimit(item);
  if (unit === '') return 'A limit is reached. Raise it?';
  return `${name} reached its limit of ${shown(limit)}. Raise it?`;
}

/** Why it came to a person, in Baton's own words. */
export function whyOf({ kind, title, question, details }: InboxItem): string {
  const { reason, why } = details;
  switch (kind) {
    case 'exec_approval':
    case 'patch_approval':
      if (details.session === true && typeof reason === 'string') return `Asked because: ${ended(reason)}`;
      return typeof why === 'string' ? `Asked because: ${why}.` : 'No rule allows it, so a person decides.';
    case 'approval':
      return 'This job was made with approval: nothing counts as done before a person has said so.';
    case 'protected':
      return 'Files that this job protects differ from where it began. Checks ran with the protected ones.';
    case 'limit':
      if (title.startsWith('the provider')) break;
      return typeof reason === 'string' ? sentence(reason) : 'It stopped before it would spend more than its limit.';
    case 'blocker':
      if (typeof reason !== 'string') return 'It cannot go on by itself.';
      // A name at its beginning stays as it is written.
      return reason.startsWith('the ') ? sentence(reason) : ended(reason);
    case 'clarification':
      if (isOfBridge({ kind, details })) return bridgeWhy(details);
      return `${typeof details.stage === 'string' ? `Stage ${details.stage}` : 'A stage'} has to know it before it goes on.`;
    case 'confirmation':
      return typeof details.hash === 'string'
        ? 'Steps that change or destroy something are asked for before the first step runs.'
        : `${typeof details.stage === 'string' ? `Stage ${details.stage}` : 'A stage'} asks before it goes on.`;
    case 'login':
      return 'An agent could not log in. Whoever needs it waits, and nobody is asked in vain.';
    case 'landing':
      return sentence(question.replace(/ Send it back.*$/, ''));
    default:
      break;
  }
  if (isTurn({ kind, title })) return 'This phase is done by a person. The job waits for it.';
  if (title === 'stuck') return 'It answered STUCK, so a person says how it goes on.';
  const hint = TROUBLES[title] === undefined || question.endsWith('?') ? '' : ` ${question}`;
  return (typeof reason === 'string' ? sentence(reason) : 'It cannot go on by itself.') + hint;
}

function bridgeWhy({ agent, agent_name, phase }: InboxItem['details']): string {
  const who =
    agent === agent_name ? 'That is a person here.' : `${String(agent)} answers for it, and that is a person.`;
  return `The orchestrator asks ${String(agent_name)} in phase ${String(phase)}, and rests until there is an answer. ${who}`;
}

function sentence(text: string): string {
  return ended(text.charAt(0).toUpperCase() + text.slice(1));
}

function ended(text: string): string {
  return /[.?!]$/.test(text) ? text : `${text}.`;
}
