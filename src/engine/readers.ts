import { ANSWER_READER, type AnswerFacts } from '../core/bridge/bridge-effects.js';
import { type ReadFacts, STAGE_READER } from '../core/envelope/envelope-effects.js';
import { readAnswer } from './bridge/read-answer.js';
import type { DocumentMover } from './envelope/document-mover.js';
import { type MissingIn, readStage } from './envelope/read-stage.js';
import type { Readers } from './ports.js';

/** Reads the answers that machines want to be read. */
export function createReaders(sources: { mover: DocumentMover; missingIn: MissingIn }): Readers {
  return {
    async read({ reader, from }, answer) {
      if (reader === ANSWER_READER) return { reading: readAnswer(from as AnswerFacts, answer.text), bodies: [] };
      if (reader !== STAGE_READER) throw new Error(`there is no reader ${reader}`);
      return readStage(sources, from as ReadFacts, answer);
    },
  };
}
