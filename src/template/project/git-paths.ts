import { spawn } from 'node:child_process';
import type { PathSink } from './path-sink.js';

const GIT_MS_MAX = 120_000;
const NOWHERE = '/nonexistent';
const NUL = 0;

/** Stronger than what the repository says: a list of files must not start anything. */
const SETTINGS = [
  'core.fsmonitor=false',
  'core.hooksPath=/dev/null',
  'core.untrackedCache=false',
  'core.quotePath=false',
  'core.attributesFile=/dev/null',
  'core.alternateRefsCommand=true',
  'protocol.allow=never',
  'submodule.recurse=false',
  'safe.directory=*',
].flatMap((setting) => ['-c', setting]);

/** Nothing of the caller's but the place where programs lie: variables could name another repository. */
function environment(): Record<string, string> {
  return {
    PATH: process.env.PATH ?? '',
    HOME: NOWHERE,
    XDG_CONFIG_HOME: NOWHERE,
    LC_ALL: 'C',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_NO_LAZY_FETCH: '1',
    GIT_ALLOW_PROTOCOL: 'none',
    GIT_PAGER: 'cat',
    GIT_EDITOR: 'true',
    GIT_ASKPASS: 'true',
  };
}

/** Hands over the paths that git knows or would take up, as bytes; false when git cannot say. */
export async function gitPaths(root: string, sink: PathSink): Promise<boolean> {
  const args = ['--no-pager', ...SETTINGS, 'ls-files', '-co', '--exclude-standard', '-z'];
  const git = spawn('git', args, { cwd: root, env: environment(), stdio: ['ignore', 'pipe', 'ignore'] });
  const ended = new Promise<number | null>((resolve) => {
    git.once('error', () => resolve(null));
    git.once('close', resolve);
  });
  const limit = setTimeout(() => git.kill('SIGKILL'), GIT_MS_MAX);
  try {
    const goesOn = await eachRecord(git.stdout, sink);
    if (!goesOn) git.kill('SIGKILL');
    const code = await ended;
    return code === 0 || !goesOn;
  } finally {
    clearTimeout(limit);
  }
}

/** Reads at the pace of the sink; false when it wants no more. */
async function eachRecord(stream: AsyncIterable<Buffer>, sink: PathSink): Promise<boolean> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of stream) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let start = 0;
    for (let end = bytes.indexOf(NUL, start); end !== -1; end = bytes.indexOf(NUL, start)) {
      if (!sink(bytes.subarray(start, end))) return false;
      start = end + 1;
    }
    rest = bytes.subarray(start);
  }
  return true;
}
