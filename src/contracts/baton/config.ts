import type { ConfigFile } from '../generated/types/config.js';
import { validate, validateStrict } from '../generated/validators/config.js';
import type { Contract } from '../shared/contract.js';
import { sessionServersHold, toolsHold } from './tool-rules.js';

export const config: Contract<ConfigFile> = {
  name: 'config',
  validate,
  validateStrict,
  versioned: 'optional',
  rules: [toolsHold, sessionServersHold],
};
