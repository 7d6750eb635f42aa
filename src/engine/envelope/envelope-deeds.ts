import { APPLY_DEED, type ApplyFacts, EXPIRE_DEED, type ExpireFacts } from '../../core/envelope/envelope-effects.js';
import { expired } from '../../core/envelope/receive-envelope.js';
import type { Clock, Deeds } from '../ports.js';
import type { DocumentMover, Made } from './document-mover.js';

const HOUR_MS = 3_600_000;

/** Makes the next envelope where several stages, or none, have led to it. */
export function createEnvelopeDeeds(mover: DocumentMover, clock: Clock): Deeds {
  const make = async (deed: string, input: object): Promise<Made> => {
    if (deed === APPLY_DEED) {
      const { ends, ...facts } = input as ApplyFacts;
      return mover.move(facts, ends);
    }
    if (deed !== EXPIRE_DEED) throw new Error(`there is no deed ${deed}`);
    const { document, pipeline, progress, waitedMs } = input as ExpireFacts;
    const [envelope, stages] = await Promise.all([mover.envelope(document), mover.pipeline(pipeline)]);
    const over = expired({ envelope, progress }, `${waitedMs / HOUR_MS} h`, clock.nowMs());
    return mover.seal(over, stages);
  };
  return {
    async perform(_, { deed, input }) {
      const { moved, bodies } = await make(deed, input);
      return { result: moved, bodies };
    },
  };
}
