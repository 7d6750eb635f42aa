import type { Check } from './finding.js';
import { isAtLeast, parseVersion } from './version.js';

export const checkNode: Check = async ({ probe: { nodeVersion } }) => {
  if (isAtLeast(parseVersion(nodeVersion), [20, 19, 0])) return [{ topic: 'node', status: 'ok', text: nodeVersion }];
  const text = `${nodeVersion} is too old; Baton needs 20.19 or newer`;
  return [{ topic: 'node', status: 'problem', text, fix: 'install Node 20.19 or newer' }];
};
