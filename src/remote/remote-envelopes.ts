import type { BatonClient } from '../client/create-client.js';
import { BatonError } from '../contracts/shared/errors.js';
import type { EnvelopeDesk } from '../engine/desk.js';
import type { EnvelopeOptions } from '../engine/envelope/envelope-service.js';

/** Envelopes of a server. What they have to be is judged there. */
export function remoteEnvelopes({ envelopes }: BatonClient): EnvelopeDesk {
  return {
    handle: (input, options, pace, _, signal) =>
      envelopes[pace === 'step' ? 'step' : 'process'](input, said(options), signal ? { signal } : {}),
    board: (run) => envelopes.board(run),
    pipelines: async () => (await envelopes.pipelines()).items.map(({ name }) => name),
  };
}

function said({ pipeline, agent, repo, around, project }: EnvelopeOptions) {
  if (pipeline !== undefined && typeof pipeline !== 'string') {
    throw new BatonError(
      'USAGE',
      'a server knows pipelines by name: put the file into the folder pipelines of its home',
    );
  }
  return {
    ...(pipeline !== undefined && { pipeline }),
    ...(agent !== undefined && { agent }),
    ...(repo !== undefined && { repo }),
    ...(around !== undefined && { around }),
    ...(project !== undefined && { project }),
  };
}
