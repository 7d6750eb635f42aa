import type { BridgeBoard, BridgeCard, BridgeCrossing, BridgeHolder } from '../../client/index.js';
import { clockTime } from '../parts/figures.js';
import { quoted } from '../parts/quoted.js';
import type { Tone } from '../parts/status.js';

/** Answers for every name that is not named. */
const ANYBODY = '*';

export function holderWord(holder: BridgeHolder): string {
  return holder === null ? 'Nobody' : { orchestrator: 'Orchestrator', agent: 'Agent', you: 'You' }[holder];
}

export const HOLDER_LOOKS = {
  orchestrator: { glyph: 'arc', tone: 'run' },
  agent: { glyph: 'half', tone: 'run' },
  you: { glyph: 'diamond', tone: 'you' },
} as const satisfies Record<NonNullable<BridgeHolder>, { glyph: string; tone: Tone }>;

/** Of a name that a program has given: "codebase_analysis" is "codebase analysis". */
export function spaced(name: string): string {
  return name.replaceAll('_', ' ');
}

export function pendingOf({ pending, crossings }: BridgeBoard): BridgeCrossing | undefined {
  return pending === null ? undefined : crossings.find(({ request_id }) => request_id === pending);
}

/** How it stands, behind the word for its state. */
export function bridgeWords(board: BridgeBoard): string {
  const { status, why, until, rounds, end } = board;
  const asked = pendingOf(board);
  const what = asked ? `phase ${asked.phase}, ${asked.phase_name}` : 'what was asked';
  switch (status) {
    case 'running':
      return roundWords(board);
    case 'asking':
      if (why !== null && until !== null) return `${sentence(why)} It is asked again at ${clockTime(until)}.`;
      if (until === null) return `${whoWords(asked)} is next to be asked for ${what}.`;
      return `${whoWords(asked)} is asked for ${what}, until ${clockTime(until)} at the latest.${tryWords(asked)}`;
    case 'parked':
      return `${sentence(why ?? 'A budget is used up.')} ${whoWords(asked)} is asked when there is room again.`;
    case 'waiting':
      return `${asked?.agent_name ?? 'Somebody'} was asked for ${what}.`;
    case 'delivering':
      return 'The answer is recorded, and is being written to the folder.';
    case 'finishing':
      return `The orchestrator has ended with exit code ${end?.exit_code ?? 0}. Its files are being removed.`;
    case 'interrupted':
      return `${sentence(why ?? 'Nobody handles it.')} The same command in the same folder goes on from there.`;
    case 'watching':
      return 'Somebody else starts the orchestrator. Its next request is taken when it lies in the folder.';
    case 'done':
      return `The orchestrator ended with exit code 0 after ${roundCount(rounds.length)}; ${answerCount(board)}.`;
    case 'abandoned':
      return 'Its files were removed. The next start in this folder begins anew.';
    default:
      return failedWords(board);
  }
}

function roundWords({ rounds, crossings }: BridgeBoard): string {
  const round = rounds.at(-1);
  const last = crossings.findLast(({ answered_at }) => answered_at !== null);
  if (!round?.resume || !last) return 'The orchestrator has the baton, from its beginning.';
  return `The orchestrator has the baton: it was resumed with the answer to phase ${last.phase}, ${last.phase_name}.`;
}

function failedWords({ end, why, files }: BridgeBoard): string {
  const what = why === null ? `The orchestrator ended with exit code ${end?.exit_code ?? 1}.` : sentence(why);
  return files.state === null ? what : `${what} Its checkpoint is kept: the same command goes on from it.`;
}

/** The name that was asked for, and who answers for it. */
export function whoWords(crossing: Pick<BridgeCrossing, 'agent' | 'agent_name'> | undefined): string {
  if (!crossing) return 'An agent';
  const { agent, agent_name: name } = crossing;
  return agent === null || agent === name ? name : `${agent}, for ${name},`;
}

function tryWords(crossing: BridgeCrossing | undefined): string {
  return crossing && crossing.attempts > 1 ? ` This is try ${crossing.attempts}.` : '';
}

export function roundCount(rounds: number): string {
  return rounds === 1 ? '1 round' : `${rounds} rounds`;
}

function answerCount({ crossings }: BridgeBoard): string {
  const answered = crossings.filter(({ status }) => status === 'success').length;
  if (crossings.length === 0) return 'it asked nobody';
  return `${answered} of ${crossings.length} ${crossings.length === 1 ? 'request' : 'requests'} answered`;
}

/** What a person would type next. */
export function bridgeCommand(board: BridgeBoard): string {
  const { dir, status, command } = board;
  if (status === 'waiting') return `baton bridge respond --dir ${quoted(dir)} answer.txt`;
  if (status === 'watching' || command === null) return `baton bridge watch ${quoted(dir)}${agentFlags(board)}`;
  if (['interrupted', 'failed', 'done', 'abandoned'].includes(status)) {
    return `baton bridge run --dir ${quoted(dir)}${agentFlags(board)} -- ${command.map(quoted).join(' ')}`;
  }
  return `baton bridge status --dir ${quoted(dir)}`;
}

function agentFlags({ agents, profile }: BridgeBoard): string {
  const named = Object.entries(agents).map(([name, agent]) =>
    name === ANYBODY ? ` --agent ${quoted(agent)}` : ` --agent ${quoted(`${name}=${agent}`)}`,
  );
  return named.join('') + (profile === null ? '' : ` --profile ${quoted(profile)}`);
}

/** "claude for everybody", "codex for architectural-reviewer". */
export function agentWords(agents: BridgeBoard['agents']): readonly { name: string; agent: string }[] {
  return Object.entries(agents).map(([name, agent]) => ({ name: name === ANYBODY ? 'every other name' : name, agent }));
}

/** In one line of a list. */
export function cardWords({ phase, phase_name, agent_name }: BridgeCard): string {
  if (phase === null) return '';
  return `phase ${phase}, ${spaced(phase_name ?? '')}${agent_name === null ? '' : `, ${agent_name}`}`;
}

/** From so much of what is allowed on it is near its end. */
const NEAR = 0.8;

export function isNearEnd({ used, max }: BridgeBoard['idle_rounds']): boolean {
  return used >= max * NEAR;
}

export function sentence(text: string): string {
  const begun = text.charAt(0).toUpperCase() + text.slice(1);
  return begun === '' || /[.?!]$/.test(begun) ? begun : `${begun}.`;
}
