import { type ReadFacts, STAGE_READER } from '../core/envelope/envelope-effects.js';
import type { DocumentMover } from './envelope/document-mover.js';
import { type MissingIn, readStage } from './envelope/read-stage.js';
import type { Readers } from './ports.js';

/** Reads the answers that machines want to be read. */
export function createReaders(sources: { mover: DocumentMover; missingIn: MissingIn }): Readers {
  return {
    async read({ reader, from }, answer) {
      if (reader !== STAGE_READER) throw new Error(`there is no reader ${reader}`);
      return readStage(sources, from as ReadFacts, answer);
    },
  };
}
