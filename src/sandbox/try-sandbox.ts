import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Confinement, Sandbox, Wrapped } from './sandbox.js';
import { WaitingChild } from './waiting-child.js';

/** What a sandbox was seen to keep from a command. */
export type Layer = 'files' | 'secrets' | 'control files' | 'network' | 'processes' | 'privileges' | 'system calls';

export type SandboxTrial = { type: 'holds' } | { type: 'leaks'; layers: Layer[] } | { type: 'fails'; said: string };

const TRIAL_MS_MAX = 10_000;
const OUTPUT_BYTES_MAX = 16 * 1024;
const SAID_LENGTH_MAX = 500;
const SECRET = 'secret';

/**
 * Uses a sandbox once for what it is there to prevent. Nothing is concluded from versions or settings: whatever is
 * not seen to be refused counts as a leak.
 */
export async function trySandbox(sandbox: Sandbox): Promise<SandboxTrial> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'baton-trial-'));
  try {
    const work = path.join(folder, 'work');
    const outside = path.join(folder, 'outside');
    for (const one of [work, outside]) mkdirSync(one);
    writeFileSync(path.join(outside, SECRET), `${SECRET}\n`);
    const confinement: Confinement = {
      writable: [work],
      readOnly: [],
      hidden: [outside],
      control: [path.join(work, 'control')],
      mayCover: true,
      network: { type: 'none' },
      limits: {},
    };
    const wrapped = sandbox.wrap({ cwd: work, env: { PATH: '/usr/bin:/bin' }, confinement, descriptor: 4 });
    if ('reason' in wrapped) return { type: 'fails', said: wrapped.reason };
    const said = await runInside(wrapped, work, ['-c', SCRIPT, 'trial', outside]).finally(wrapped.tidy);
    if ('reason' in said) return { type: 'fails', said: said.reason };
    const layers = leaks(said.text, { sandbox, outside, work });
    return layers.length === 0 ? { type: 'holds' } : { type: 'leaks', layers };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Only what every shell does itself: nothing else may be missing. */
const SCRIPT = `
(: > "$1/made") 2>/dev/null
(: > control) 2>/dev/null
: > made && echo writes: own
(read -r word < "$1/${SECRET}" && echo read: "$word") 2>/dev/null
[ -e /proc/self/status ] || exit 0
while read -r name value; do
  case $name in CapEff:|NoNewPrivs:|Seccomp:) echo "$name $value" ;; esac
done < /proc/self/status
while read -r name rest; do
  case $name in *:*) echo "device: $name" ;; esac
done < /proc/net/dev
read -r pid rest < /proc/self/stat && echo "pid: $pid"
`;
/** Inside a namespace of its own a command has one of the first numbers. */
const FIRST_PIDS_MAX = 10;

function leaks(text: string, { sandbox, outside, work }: { sandbox: Sandbox; outside: string; work: string }): Layer[] {
  const seen = (line: RegExp): boolean => line.test(text);
  const layers: [Layer, holds: boolean][] = [
    ['files', seen(/^writes: own$/m) && !existsSync(path.join(outside, 'made'))],
    ['secrets', !seen(/^read: /m)],
    ['control files', !existsSync(path.join(work, 'control'))],
  ];
  if (sandbox.mode === 'bwrap') {
    const devices = text.match(/^device: .*$/gm) ?? [];
    const [, pid = '0'] = /^pid: (\d+)$/m.exec(text) ?? [];
    layers.push(
      ['network', devices.length > 0 && devices.every((line) => line.startsWith('device: lo:'))],
      ['processes', Number(pid) > 0 && Number(pid) <= FIRST_PIDS_MAX],
      ['privileges', seen(/^CapEff: 0+$/m) && seen(/^NoNewPrivs: 1$/m)],
      ['system calls', seen(/^Seccomp: 2$/m)],
    );
  }
  return layers.filter(([, holds]) => !holds).map(([layer]) => layer);
}

async function runInside(
  wrapped: Wrapped,
  cwd: string,
  args: string[],
): Promise<{ text: string } | { reason: string }> {
  const marker = { scope: 'trial', run: 'trial', handoff: 'trial', attempt: 1, spawn: randomUUID() };
  const how = { workspace: undefined, stdin: undefined, merge: false, descriptors: [] };
  const request = { ...how, file: '/bin/sh', args, cwd, marker, wrapped, outputBytesMax: OUTPUT_BYTES_MAX };
  const child = await WaitingChild.start(request);
  if ('reason' in child) return child;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), TRIAL_MS_MAX);
  });
  try {
    const first = await Promise.race([child.ready.then(() => 'ready' as const), child.exit, late]);
    const seen = first === 'ready' ? await wrapped.inspect(child.info.pid) : undefined;
    if (seen && 'init' in seen) {
      child.release();
      if ((await Promise.race([child.exit, late])) !== 'late') {
        await child.collected();
        return { text: child.stdout.text() };
      }
    }
    child.kill();
    await child.collected();
    if (seen && 'reason' in seen) return seen;
    return { reason: child.stderr.text().trim().slice(0, SAID_LENGTH_MAX) || 'it did not answer' };
  } finally {
    clearTimeout(timer);
  }
}
