/** What can be said of an envelope from its document alone. Bundled on its own, so that it starts at once. */

import { createEnvelope } from '../../contracts/envelope/create-envelope.js';
import { envelope } from '../../contracts/envelope/envelope.js';
import { envelopeResult } from '../../contracts/envelope/envelope-result.js';
import { readEnvelope } from '../../contracts/envelope/read-envelope.js';
import { parseContract } from '../../contracts/shared/contract.js';
import { allow } from '../../contracts/shared/verdict.js';
import { canContinue } from '../../core/envelope/bounds.js';
import type { Parsed, RunCommand } from '../command.js';
import { answerJson } from '../envelope/answer-json.js';
import { readJsonFile } from '../read-json-file.js';

/** Not node:crypto, which the other commands would wait for. */
const IDS = { hex16: () => Buffer.from(crypto.getRandomValues(new Uint8Array(8))).toString('hex') };

export const runEnvelopeCreate = answering((input) => createEnvelope(input, IDS, new Date().toISOString()));

export const runEnvelopeCanContinue = answering((input) => canContinue(readEnvelope(input)));

export const runEnvelopeResult = answering((input) => envelopeResult(readEnvelope(input)));

/** Not what can be read, but what fits the printed schema to the letter. */
export const runEnvelopeValidate = answering((input, { strict }) => {
  parseContract(envelope, input, { strict: strict === true });
  return allow();
});

function answering(answer: (input: unknown, values: Parsed['values']) => object): RunCommand {
  return ({ positionals: [file = '-'], values }, io) =>
    answerJson(io, async () => answer(await readJsonFile(file, io), values));
}
