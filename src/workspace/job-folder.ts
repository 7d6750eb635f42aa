import path from 'node:path';

/** Where everything of one job lies. Only `workspace` is ever given to an agent. */
export type JobFolder = {
  root: string;
  workspace: string;
  /** Baton's own git directory: refs, index and settings; it borrows and keeps its objects in the user's repository. */
  git: string;
  /** A clean copy on which checks run. */
  check: string;
  land: string;
  /** HOME of commands that must not see the user's. */
  home: string;
  /** Packages that setup downloads; a link where all jobs of the repository share them. */
  cache: string;
  /** What agents keep of their conversations. */
  agents: string;
  record: string;
};

export function jobFolder(home: string, run: string): JobFolder {
  const root = path.join(home, 'jobs', run);
  const at = (name: string): string => path.join(root, name);
  return {
    root,
    workspace: at('workspace'),
    git: at('git'),
    check: at('check'),
    land: at('land'),
    home: at('home'),
    cache: at('cache'),
    agents: at('agents'),
    record: at('workspace.json'),
  };
}

export type JobRefs = {
  branch: string;
  /** As git writes it in full. */
  head: string;
  /** Keep the user's `git gc` from dropping what the job needs. */
  base: string;
  pin: string;
};

/** A run's name may hold what a ref's may not: two dots, a dot at the end, `.lock` at the end. */
export function jobRefs(run: string): JobRefs {
  const name = run.replace(/\.(?=\.|$|lock$)/g, '%2E');
  return {
    branch: `baton/${name}`,
    head: `refs/heads/baton/${name}`,
    base: `refs/baton/${name}/base`,
    pin: `refs/baton/${name}/head`,
  };
}
