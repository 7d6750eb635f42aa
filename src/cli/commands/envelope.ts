import { existsSync } from 'node:fs';
import path from 'node:path';
import { pipeline as pipelineContract } from '../../contracts/envelope/pipeline.js';
import type { Envelope } from '../../contracts/generated/types/envelope.js';
import type { Pipeline } from '../../contracts/generated/types/pipeline.js';
import { parseContract } from '../../contracts/shared/contract.js';
import { BatonError } from '../../contracts/shared/errors.js';
import type { Pace } from '../../core/envelope/envelope-messages.js';
import type { Desk } from '../../engine/desk.js';
import type { EnvelopeOptions } from '../../engine/envelope/envelope-service.js';
import { toolsFolder } from '../../settings/tools-folder.js';
import type { Parsed } from '../command.js';
import { answerJson } from '../envelope/answer-json.js';
import { envelopeExit } from '../envelope/envelope-exit.js';
import { processLines } from '../envelope/process-lines.js';
import { tellStages } from '../envelope/tell-stages.js';
import type { Io } from '../io.js';
import { atDesk, type DeskCommand } from '../opened-desk.js';
import { textOption } from '../option-values.js';
import { readJsonFile } from '../read-json-file.js';
import { untilStopped } from '../until-stopped.js';

const INTERRUPTED = 130;

export const runEnvelopeProcess: DeskCommand = (parsed, io, open) =>
  parsed.values.lines ? manyEnvelopes(parsed, io, open) : oneEnvelope('process', parsed, io, open);

export const runEnvelopeStep: DeskCommand = (parsed, io, open) => oneEnvelope('step', parsed, io, open);

async function oneEnvelope(pace: Pace, parsed: Parsed, io: Io, open: Parameters<DeskCommand>[2]): Promise<number> {
  const stopped = untilStopped();
  const { signal } = stopped;
  try {
    const code = await answerJson(
      io,
      async () => {
        const input = await readJsonFile(parsed.positionals[0] ?? '-', io);
        const pipeline = await pipelineOf(parsed, io);
        return atDesk(open, howOf(pipeline), async (desk) => {
          const untold = tellStages(desk, io, input);
          try {
            const options = optionsOf(desk, parsed, io, pipeline);
            return await desk.envelopes.handle(input, options, pace, { actor: io.env.USER ?? 'cli' }, signal);
          } finally {
            untold();
          }
        });
      },
      envelopeExit,
    );
    return signal.aborted ? INTERRUPTED : code;
  } finally {
    stopped.forget();
  }
}

/** One envelope a line, answers in the same order. */
async function manyEnvelopes(parsed: Parsed, io: Io, open: Parameters<DeskCommand>[2]): Promise<number> {
  const pipeline = await pipelineOf(parsed, io);
  return atDesk(open, howOf(pipeline), (desk) => {
    const options = optionsOf(desk, parsed, io, pipeline);
    const by = { actor: io.env.USER ?? 'cli' };
    const handle = (input: unknown): Promise<Envelope> => desk.envelopes.handle(input, options, 'process', by);
    return processLines(io, parsed.positionals[0] ?? '-', handle);
  });
}

/** A file that is here is worked on here: a server knows pipelines by name. */
function howOf(pipeline: string | Pipeline | undefined) {
  return { drives: true, ...(typeof pipeline === 'object' && { here: true }) };
}

function optionsOf(
  { served }: Pick<Desk, 'served'>,
  parsed: Parsed,
  io: Io,
  pipeline: string | Pipeline | undefined,
): EnvelopeOptions {
  const [agent, project, said] = [
    textOption(parsed, 'agent'),
    textOption(parsed, 'project'),
    textOption(parsed, 'repo'),
  ];
  const around = isHere(served) ? toolsFolder(io.cwd) : undefined;
  return {
    ...(pipeline !== undefined && { pipeline }),
    ...(agent !== undefined && { agent }),
    ...(said !== undefined && { repo: path.resolve(io.cwd, said) }),
    ...(around !== undefined && { around }),
    ...(project !== undefined && { project }),
  };
}

/** Folders here are folders there. */
function isHere(served: string | null): boolean {
  return served === null || ['127.0.0.1', '[::1]', 'localhost'].includes(new URL(served).hostname);
}

/** A name; or a file, when it looks like one. */
async function pipelineOf(parsed: Parsed, io: Io): Promise<string | Pipeline | undefined> {
  const said = textOption(parsed, 'pipeline');
  if (said === undefined || !/[./\\]/.test(said)) return said;
  const file = path.resolve(io.cwd, said);
  if (!existsSync(file)) {
    if (!/[/\\]|\.json$/.test(said)) return said;
    throw new BatonError('PIPELINE_NOT_FOUND', `there is no file ${said}`, { file: said });
  }
  return parseContract(pipelineContract, await readJsonFile(said, io));
}
