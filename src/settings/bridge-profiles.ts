import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { type BridgeProfile, TEMPLATE_CREATE } from '../contracts/bridge/bridge-profile.js';
import { readProfile } from '../contracts/bridge/read-profile.js';
import { BatonError } from '../contracts/shared/errors.js';
import { readJson } from '../contracts/shared/read-json.js';

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;

/** The workflow of the document, and those in the folder `profiles` of the home. Read each time, so they can be changed. */
export async function profileNamed(home: string, name: string): Promise<BridgeProfile> {
  const file = path.join(home, 'profiles', `${name}.json`);
  const bytes = NAME.test(name) ? await readFile(file).catch(() => undefined) : undefined;
  if (!bytes) {
    if (name === TEMPLATE_CREATE.name) return TEMPLATE_CREATE;
    const reason = `there is no profile ${JSON.stringify(name)}: it would be ${file}; built in is ${TEMPLATE_CREATE.name}`;
    throw new BatonError('USAGE', reason, { profile: name });
  }
  const read = readJson(bytes);
  const profile = 'denial' in read ? read.denial : readProfile(read.value);
  if ('phases' in profile) return profile;
  throw new BatonError('CONFIG_INVALID', `${file}: ${profile.reason}`, { file });
}
