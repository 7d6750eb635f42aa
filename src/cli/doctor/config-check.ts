import path from 'node:path';
import { config } from '../../contracts/baton/config.js';
import { prices } from '../../contracts/baton/prices.js';
import type { ConfigFile } from '../../contracts/generated/types/config.js';
import type { Contract } from '../../contracts/shared/contract.js';
import { BatonError } from '../../contracts/shared/errors.js';
import { parseFile } from '../../contracts/shared/parse-file.js';
import { configFile } from '../../settings/config-file.js';
import type { Check, DoctorEnv, Finding } from './finding.js';

/** Silent when well: the settings are not what the doctor is asked about. */
export const checkConfig: Check = async (env) => [
  ...(await damage(() => readSettings(env))),
  ...(await damage(() => read(env, prices, path.join(env.home, 'prices.json')))),
];

export async function readSettings(env: DoctorEnv): Promise<ConfigFile> {
  return (await read(env, config, configFile(env.home))) ?? {};
}

async function read<T>({ probe }: DoctorEnv, contract: Contract<T>, file: string): Promise<T | undefined> {
  const text = await probe.readText(file);
  return text === undefined ? undefined : parseFile(contract, file, text);
}

async function damage(reading: () => Promise<unknown>): Promise<Finding[]> {
  try {
    await reading();
    return [];
  } catch (failure) {
    if (!(failure instanceof BatonError)) throw failure;
    return [{ topic: 'config', status: 'problem', text: failure.message, fix: 'repair that file, or delete it' }];
  }
}
