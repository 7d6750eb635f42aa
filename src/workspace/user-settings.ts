import type { Deed } from './deed.js';

/** In the user's tree the user's own settings count, so that line endings and filters are as with `git merge`. */
export function asUser({ options }: Deed): { env: Record<string, string>; asUser: true } {
  const { HOME, XDG_CONFIG_HOME } = options.environment;
  const env = {
    ...(HOME !== undefined && { HOME, GIT_CONFIG_GLOBAL: `${HOME}/.gitconfig` }),
    ...(XDG_CONFIG_HOME !== undefined && { XDG_CONFIG_HOME }),
    GIT_CONFIG_NOSYSTEM: '0',
    GIT_ATTR_NOSYSTEM: '0',
  };
  return { env, asUser: true };
}
