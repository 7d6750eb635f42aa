/** What envelopes need of the world: their documents, what is read out of answers, and tools. */

import type { Engine } from '../engine/engine.js';
import { DocumentMover } from '../engine/envelope/document-mover.js';
import type { EnvelopeService } from '../engine/envelope/envelope-service.js';
import type { Baton } from '../engine/opened-baton.js';
import type { Home } from '../engine/opened-home.js';
import type { Deeds, Ports, Readers } from '../engine/ports.js';

export type EnvelopeParts = { mover: DocumentMover; readers: Readers; deeds: Deeds };

export function envelopeParts({ store, scrub, hasher, clock }: Home): EnvelopeParts {
  const mover = new DocumentMover({ body: (sha256) => store.body(sha256), scrub, hasher });
  return {
    mover,
    readers: {
      async read(...args) {
        const { createReaders } = await import('../engine/readers.js');
        return createReaders({ mover, missingIn: async () => [] }).read(...args);
      },
    },
    deeds: {
      async perform(...args) {
        const { createEnvelopeDeeds } = await import('../engine/envelope/envelope-deeds.js');
        return createEnvelopeDeeds(mover, clock).perform(...args);
      },
    },
  };
}

export async function envelopeService(
  { folder, machines }: Home,
  engine: Engine,
  world: { ports: Ports; mover: DocumentMover; isPerson(id: string): Promise<boolean> },
  knowsAgent: Baton['knowsAgent'],
): Promise<EnvelopeService> {
  const [{ EnvelopeService }, { pipelinesIn }] = await Promise.all([
    import('../engine/envelope/envelope-service.js'),
    import('../settings/pipelines.js'),
  ]);
  const { ports, mover, isPerson } = world;
  return new EnvelopeService({ ports, engine, machines, mover, pipelines: pipelinesIn(folder), knowsAgent, isPerson });
}
