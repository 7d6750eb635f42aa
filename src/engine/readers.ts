import { ANSWER_READER, type AnswerFacts } from '../core/bridge/bridge-effects.js';
import { type ReadFacts, STAGE_READER } from '../core/envelope/envelope-effects.js';
import { TURN_READER, type TurnReadingFacts } from '../core/session/session-effects.js';
import { readAnswer } from './bridge/read-answer.js';
import type { DocumentMover } from './envelope/document-mover.js';
import { type MissingIn, readStage } from './envelope/read-stage.js';
import type { Ports, Readers } from './ports.js';
import { readTurn } from './session/read-turn.js';

type Sources = Pick<Ports, 'scrub' | 'hasher'> & { mover: DocumentMover; missingIn: MissingIn };

/** Reads the answers that machines want to be read. */
export function createReaders(sources: Sources): Readers {
  return {
    async read({ reader, from }, answer) {
      if (reader === ANSWER_READER) return { reading: readAnswer(from as AnswerFacts, answer.text), bodies: [] };
      if (reader === TURN_READER) return readTurn(sources, from as TurnReadingFacts, answer.text);
      if (reader !== STAGE_READER) throw new Error(`there is no reader ${reader}`);
      return readStage(sources, from as ReadFacts, answer);
    },
  };
}
