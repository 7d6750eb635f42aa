import type { BridgeCrossing, BridgeRound } from '../../contracts/api/bridge-shapes.js';
import type { BridgeEvent } from '../../core/bridge/bridge-messages.js';

/** An event with its place and its time. */
export type Told = { seq: number; at: string; event: BridgeEvent };

export function roundsIn(told: readonly Told[]): BridgeRound[] {
  const rounds: BridgeRound[] = [];
  const end = (change: Partial<BridgeRound>): void => {
    const last = rounds.pop();
    if (last) rounds.push({ ...last, ...change });
  };
  for (const { at, event } of told) {
    if (event.type === 'RoundStarted') {
      const { round, resume } = event;
      rounds.push({
        ...{ round, resume, started_at: at, ended_at: null, exit: null, lost: null, request_id: null, repeated: false },
      });
    }
    if (event.type === 'RoundEnded') end({ ended_at: at, exit: event.exit });
    if (event.type === 'RequestTaken' && isOf(rounds.at(-1))) end({ request_id: event.request.request_id });
    if (event.type === 'RequestRepeated' && isOf(rounds.at(-1))) {
      end({ request_id: event.request_id, repeated: true });
    }
    if (event.type === 'RoundLost') end({ ended_at: at, lost: event.reason });
    if (event.type === 'BridgePaused' && rounds.at(-1)?.ended_at === null) end({ ended_at: at, lost: event.reason });
  }
  return rounds;
}

/** What is asked now was asked by that round, and not by an orchestrator that somebody else has started since. */
function isOf(round: BridgeRound | undefined): boolean {
  return round !== undefined && round.ended_at !== null && round.lost === null && round.request_id === null;
}

export function crossingsIn(told: readonly Told[]): BridgeCrossing[] {
  const byId = new Map<string, BridgeCrossing>();
  let round = 0;
  let open: string | null = null;
  const change = (id: string | null, more: (crossing: BridgeCrossing) => Partial<BridgeCrossing>): void => {
    const crossing = id === null ? undefined : byId.get(id);
    if (crossing) byId.set(crossing.request_id, { ...crossing, ...more(crossing) });
  };
  for (const { at, event } of told) {
    if (event.type === 'RoundStarted') round = event.round;
    if (event.type === 'RequestTaken') {
      open = event.request.request_id;
      byId.set(open, begunCrossing(event, round, at));
    }
    if (event.type === 'RequestRepeated') change(event.request_id, ({ repeats }) => ({ repeats: repeats + 1 }));
    if (event.type === 'HandoffAsked') change(open, () => ({ attempts: event.attempt, agent: event.agent }));
    if (event.type === 'RequestAnswered') {
      const { reply, by } = event;
      const { status, error, confidence, tokens, answer } = reply;
      const said = { status, error, confidence, tokens, by, answered_at: at, answer: answer?.sha256 ?? null };
      change(reply.request_id, () => said);
    }
  }
  return [...byId.values()];
}

function begunCrossing(
  { request, handoff }: Extract<BridgeEvent, { type: 'RequestTaken' }>,
  round: number,
  at: string,
): BridgeCrossing {
  const { request_id, phase, phase_name, agent_name, answerer, document } = request;
  return {
    ...{ request_id, phase, phase_name, agent_name, agent: answerer?.agent ?? null, handoff, round, asked_at: at },
    ...{
      answered_at: null,
      attempts: 0,
      repeats: 0,
      status: null,
      error: null,
      confidence: null,
      tokens: null,
      by: null,
    },
    ...{ request: document.sha256, answer: null },
  };
}
