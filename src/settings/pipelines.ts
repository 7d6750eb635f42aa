import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { BUILT_IN } from '../contracts/envelope/built-in-pipelines.js';
import { pipeline as pipelineContract } from '../contracts/envelope/pipeline.js';
import type { Pipeline } from '../contracts/generated/types/pipeline.js';
import { parseContract } from '../contracts/shared/contract.js';
import { BatonError } from '../contracts/shared/errors.js';
import { parseFile } from '../contracts/shared/parse-file.js';
import type { Pipelines } from '../engine/envelope/named-pipeline.js';

const ENDING = '.json';
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;

/** Those that come with Baton, and the files in the folder `pipelines` of the home. Read each time, so they can be changed. */
export function pipelinesIn(home: string): Pipelines {
  const folder = path.join(home, 'pipelines');
  const names = async (): Promise<string[]> => [...new Set([...BUILT_IN.keys(), ...(await own(folder))])].sort();
  return {
    names,
    async named(said) {
      if (typeof said !== 'string') return parseContract(pipelineContract, said);
      const found = (await fromFile(folder, said)) ?? BUILT_IN.get(said);
      if (found) return found;
      throw new BatonError('PIPELINE_NOT_FOUND', `there is no pipeline ${JSON.stringify(said)}`, {
        known: await names(),
      });
    },
  };
}

async function own(folder: string): Promise<string[]> {
  const files = await readdir(folder).catch(() => []);
  return files.filter((file) => file.endsWith(ENDING)).map((file) => file.slice(0, -ENDING.length));
}

async function fromFile(folder: string, name: string): Promise<Pipeline | undefined> {
  if (!NAME.test(name)) return undefined;
  const file = path.join(folder, `${name}${ENDING}`);
  const bytes = await readFile(file).catch((failure: NodeJS.ErrnoException) => {
    if (failure.code === 'ENOENT' || failure.code === 'ENOTDIR') return undefined;
    throw new BatonError('CONFIG_INVALID', `${file} cannot be read (${failure.code})`, { file });
  });
  if (!bytes) return undefined;
  const pipeline = parseFile(pipelineContract, file, bytes);
  if (pipeline.name === name) return pipeline;
  throw new BatonError('CONFIG_INVALID', `${file} holds the pipeline ${pipeline.name}: name the file after it`, {
    file,
  });
}
