import type { ConfigFile } from '../../contracts/generated/types/config.js';
import { BatonError } from '../../contracts/shared/errors.js';
import { configFile, parseConfig } from '../config/config-file.js';
import type { Check, DoctorEnv } from './finding.js';

/** Silent when well: the settings are not what the doctor is asked about. */
export const checkConfig: Check = async (env) => {
  try {
    await readSettings(env);
    return [];
  } catch (failure) {
    if (!(failure instanceof BatonError)) throw failure;
    return [{ topic: 'config', status: 'problem', text: failure.message, fix: 'repair that file, or delete it' }];
  }
};

export async function readSettings({ probe, home }: DoctorEnv): Promise<ConfigFile> {
  const file = configFile(home);
  const text = await probe.readText(file);
  return text === undefined ? {} : parseConfig(file, text);
}
