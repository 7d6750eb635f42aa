/** What envelopes need of the world: their documents, what is read out of answers, and tools. */

import { TOOLS_DEED } from '../core/envelope/envelope-effects.js';
import type { Engine } from '../engine/engine.js';
import type { ToolsNamed } from '../engine/envelope/compose-stage.js';
import { DocumentMover } from '../engine/envelope/document-mover.js';
import type { EnvelopeService } from '../engine/envelope/envelope-service.js';
import type { Baton } from '../engine/opened-baton.js';
import type { Home } from '../engine/opened-home.js';
import type { Deeds, Ports, Readers } from '../engine/ports.js';
import type { Machine } from '../tools/machine.js';
import { lazily } from './lazily.js';

export type EnvelopeParts = { mover: DocumentMover; toolsNamed: ToolsNamed; readers: Readers; deeds: Deeds };

/** What reads, and what runs tools, is loaded with the first envelope that needs it. */
export function envelopeParts({ folder, store, scrub, hasher, clock }: Home, machine: Machine): EnvelopeParts {
  const mover = new DocumentMover({ body: (sha256) => store.body(sha256), scrub, hasher });
  const readers = lazily(async () => {
    const [{ createReaders }, { missingLocations }] = await Promise.all([
      import('../engine/readers.js'),
      import('../tools/check-locations.js'),
    ]);
    return createReaders({ mover, missingIn: missingLocations, scrub, hasher });
  });
  const moving = lazily(async () => {
    const { createEnvelopeDeeds } = await import('../engine/envelope/envelope-deeds.js');
    return createEnvelopeDeeds(mover, clock);
  });
  const toolbox = lazily(async () => {
    const [{ createToolbox }, { readConfig }] = await Promise.all([
      import('../tools/toolbox.js'),
      import('../settings/config-file.js'),
    ]);
    return createToolbox({ ...machine, tools: async () => (await readConfig(folder)).tools });
  });
  const tools = lazily(async () => {
    const { createToolsDeed } = await import('../tools/tools-deed.js');
    return createToolsDeed({ toolbox: await toolbox(), mover, clock });
  });
  return {
    mover,
    async toolsNamed(names) {
      const { all } = await (await toolbox()).open();
      return all()
        .filter(({ name }) => names.includes(name))
        .map(({ name, description, risk }) => ({ name, description, risk }));
    },
    readers: { read: async (...args) => (await readers()).read(...args) },
    deeds: {
      perform: async (held, effect, signal) =>
        (await (effect.deed === TOOLS_DEED ? tools() : moving())).perform(held, effect, signal),
    },
  };
}

export async function envelopeService(
  { folder, machines }: Home,
  engine: Engine,
  world: { ports: Ports; mover: DocumentMover; isPerson(id: string): Promise<boolean> },
  { cwd, ...there }: Pick<Baton, 'agents' | 'readyAgents' | 'knowsAgent'> & { cwd: string },
): Promise<EnvelopeService> {
  const [{ EnvelopeService }, { pipelinesIn }, { toolsFolder }] = await Promise.all([
    import('../engine/envelope/envelope-service.js'),
    import('../settings/pipelines.js'),
    import('../settings/tools-folder.js'),
  ]);
  const { ports, mover, isPerson } = world;
  return new EnvelopeService({
    ...{ ports, engine, machines, mover, isPerson, pipelines: pipelinesIn(folder), knowsAgent: there.knowsAgent },
    folder: toolsFolder(cwd),
    async stageAgent() {
      const { stageAgent } = await import('../settings/stage-agent.js');
      return stageAgent({ folder, ...there });
    },
  });
}
