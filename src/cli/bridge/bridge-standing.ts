import type { BridgeHolder } from '../../contracts/api/bridge-shapes.js';

/** What is known of a folder: what its run says, who handles it, and what lies in it. */
export type FolderFacts = {
  status: string | null;
  holder: BridgeHolder;
  handlerPid: number | null;
  isAsked: boolean;
  isAnswered: boolean;
};
export type Standing = { status: string; holder: BridgeHolder; next: string };

const UNDER_WAY: readonly string[] = [
  ...['running', 'asking', 'parked', 'waiting', 'delivering', 'finishing', 'interrupted'],
];
const GOES_ON = 'baton bridge run -- CMD goes on where it was';

/** A run says how it was left; whether somebody is there now is seen by the folder. */
export function bridgeStanding(facts: FolderFacts): Standing {
  return facts.handlerPid === null ? unhandled(facts) : handled(facts);
}

function handled({ status, holder }: FolderFacts): Standing {
  if (status === 'waiting') return { status, holder, next: 'baton bridge respond' };
  if (status === null || !UNDER_WAY.includes(status)) {
    return { status: 'watching', holder: null, next: 'nothing: what is asked here is answered' };
  }
  return { status, holder, next: 'nothing: its handler is at work' };
}

function unhandled({ status, isAsked, isAnswered }: FolderFacts): Standing {
  const isLeft = status !== null && UNDER_WAY.includes(status);
  if (isAsked) {
    const next = isLeft
      ? `${GOES_ON}, or baton bridge respond`
      : 'baton bridge respond, or baton bridge run -- CMD --resume';
    return { status: isLeft ? 'interrupted' : 'asked', holder: 'you', next };
  }
  if (isLeft) return { status: 'interrupted', holder: null, next: GOES_ON };
  if (isAnswered) return { status: 'answered', holder: 'orchestrator', next: 'run the orchestrator with --resume' };
  if (status === 'failed') return { status, holder: null, next: GOES_ON };
  return { status: status === 'watching' ? 'done' : (status ?? 'none'), holder: null, next: 'baton bridge run -- CMD' };
}
