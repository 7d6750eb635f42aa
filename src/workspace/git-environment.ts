/**
 * Git takes orders from many places: environment, settings of system, user and repository, hooks, attributes. Every
 * call says all of them itself, so that neither the caller's environment nor a repository can make it run a program.
 */

const IDENTITY = { NAME: 'Baton', EMAIL: 'baton@localhost' };
const NOWHERE = '/nonexistent';

export function gitEnvironment(environment: NodeJS.ProcessEnv): Record<string, string> {
  return {
    ...(environment.PATH !== undefined && { PATH: environment.PATH }),
    HOME: NOWHERE,
    XDG_CONFIG_HOME: NOWHERE,
    LC_ALL: 'C',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_NO_LAZY_FETCH: '1',
    GIT_ALLOW_PROTOCOL: 'none',
    GIT_EDITOR: 'true',
    GIT_ASKPASS: 'true',
    GIT_AUTHOR_NAME: IDENTITY.NAME,
    GIT_AUTHOR_EMAIL: IDENTITY.EMAIL,
    GIT_COMMITTER_NAME: IDENTITY.NAME,
    GIT_COMMITTER_EMAIL: IDENTITY.EMAIL,
  };
}

/** Stronger than what any repository says. */
const SETTINGS: Readonly<Record<string, string>> = {
  'core.hooksPath': '/dev/null',
  'core.fsmonitor': 'false',
  'core.untrackedCache': 'false',
  'core.attributesFile': '/dev/null',
  'core.alternateRefsCommand': 'true',
  'core.quotePath': 'false',
  'protocol.allow': 'never',
  'protocol.ext.allow': 'never',
  'submodule.recurse': 'false',
  'gc.auto': '0',
  'maintenance.auto': 'false',
  // The folder was named by the user; what its settings could make git run is switched off above.
  'safe.directory': '*',
};

export const GIT_SETTINGS: readonly string[] = Object.entries(SETTINGS).flatMap(([name, value]) => [
  '-c',
  `${name}=${value}`,
]);
