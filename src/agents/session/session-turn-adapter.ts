import type { TurnFacts } from '../../core/session/session-effects.js';
import type { Clock, RunId } from '../../engine/ports.js';
import type { Scrub } from '../../engine/scrub.js';
import type { LiveText } from '../../engine/session/live-text.js';
import type { TurnRequest } from '../../engine/session/read-thread.js';
import { type Adapter, failed } from '../adapter.js';
import type { AgentSpec } from '../agent-spec.js';
import { providerOfWire } from '../metering/providers.js';
import type { ModelOptions } from '../model/model-adapter.js';
import { askTurn } from './ask-turn.js';

export type TurnSessions = {
  /** What the model is asked at this place of the thread. */
  request(run: RunId, facts: TurnFacts): Promise<TurnRequest>;
  live: LiveText;
  scrub: Scrub;
};
export type SessionTurnOptions = ModelOptions & { clock: Clock; sessions?: TurnSessions };

/** One turn of a session: one request, streamed, its answer collected until it is complete. */
export function sessionTurnAdapter(spec: AgentSpec, { metering, clock, sessions }: SessionTurnOptions): Adapter {
  return async ({ run }, { agent, key, attempt }, request, signal) => {
    if (!sessions) return failed('refused', 'no sessions are driven here');
    if (spec.adapter !== 'model' || spec.wire !== 'responses') {
      const is = spec.adapter === 'model' ? `speaks ${spec.wire}` : `is of the kind ${spec.adapter}`;
      return failed('refused', `a session needs a model that speaks responses, and ${agent} ${is}`);
    }
    const facts = JSON.parse(new TextDecoder().decode(request)) as TurnFacts;
    // While the way to the provider is made.
    const loaded = import('openai');
    const composed = sessions.request(run, facts).then(
      (turn) => ({ turn }),
      (problem: unknown) => ({ problem }),
    );
    const needs = [{ provider: providerOfWire(spec.wire), baseUrl: spec.baseUrl, isDirect: true }];
    return metering.during({ run, handoff: key, attempt }, needs, signal, async (access) => {
      const made = await composed;
      if (!('turn' in made)) return failed('refused', `the thread cannot be read: ${made.problem}`);
      const named = (turn: TurnRequest): TurnRequest => ({ ...turn, model: turn.model || spec.model });
      const turn = named(made.turn);
      const refused = access.whyNot(turn.model);
      if (refused) return refused;
      const whole = async () => named(await sessions.request(run, { ...facts, whole: true }));
      const { scrub } = sessions;
      // A summary is for the model that goes on with it.
      const live = facts.compacts ? null : sessions.live;
      return askTurn({ run, turn, whole, facts, live, scrub, clock, access, module: await loaded });
    });
  };
}
