import type { StreamState } from '../client/event-stream.js';
import type { Desk, Looking } from '../engine/desk.js';
import { isLoopback, type Reached } from '../remote/find-server.js';
import { lookAtRemote, openRemote, type RemoteOptions } from '../remote/open-remote.js';
import type { Driving } from '../remote/remote-runs.js';
import { jobDefaults } from '../settings/job-defaults.js';
import { repositoryOf } from '../settings/repository-of.js';
import { nodeClock } from '../system/node-clock.js';
import { shellReader } from './agents.js';

/** What is told to whoever waits at the terminal. */
type Told = { err(text: string): void };

export function lookRemotely(server: Reached, told: Told): Looking {
  return lookAtRemote(reaching(server, told));
}

export function openRemoteDesk(server: Reached, home: string, told: Told, how: { handoffsMax?: number }): Desk {
  return openRemote({
    ...reaching(server, told),
    driving: drivingOf(how.handoffsMax),
    shell: shellReader,
    async withDefaults({ agents, readyAgents }, said, cwd) {
      if (!server.own)
        return { options: isLoopback(new URL(server.url)) ? inRepository(said, cwd) : said, untrusted: null };
      // The server says so itself when it does not know one.
      const knowsAgent = async (): Promise<boolean> => true;
      return jobDefaults({ folder: home, agents, readyAgents, knowsAgent }, said, cwd);
    },
  });
}

function drivingOf(handoffsMax: number | undefined): Driving {
  if (handoffsMax === undefined) return 'run';
  return handoffsMax === 0 ? 'watch' : 'step';
}

function inRepository<Said extends { repo?: string }>(said: Said, cwd: string | null): Said {
  const repo = said.repo ?? (cwd === null ? undefined : repositoryOf(cwd));
  return repo === undefined ? said : { ...said, repo };
}

function reaching({ url, token }: Reached, told: Told): RemoteOptions {
  let gone = false;
  const onState = ({ name }: StreamState): void => {
    if (name === 'stale' && !gone) told.err(`${url} does not answer. Its runs are safe; trying again until it does.\n`);
    if (name === 'live' && gone) told.err(`${url} answers again.\n`);
    gone = name === 'stale' || (gone && name !== 'live');
  };
  return { url, token, clock: nodeClock, onState };
}
