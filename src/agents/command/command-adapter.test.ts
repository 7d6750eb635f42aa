import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Asker, REQUEST } from '../../../test/agents/asker.js';
import { PATH, until } from '../../../test/faults/processes/playground.js';
import { NO_USAGE } from '../../core/kernel/effect.js';
import type { AskOutcome } from '../../engine/ports.js';
import { LOG_BYTES_MAX } from '../process/live-log.js';

let asker: Asker;
let askers: Asker[];
beforeEach(() => {
  askers = [];
  become({});
});
afterEach(() => {
  const survivors = askers.flatMap(({ here }) => here.survivors());
  for (const { here } of askers) here.clear();
  expect(survivors, 'nobody is left').toEqual([]);
});

function become(options: ConstructorParameters<typeof Asker>[0]): void {
  asker = new Asker(options);
  askers.push(asker);
}

const answered = (text: string): AskOutcome => ({ type: 'answered', text, usage: NO_USAGE });
const failed = (failure: string, reason: unknown) => ({ type: 'failed', failure, reason, usage: NO_USAGE });
const MIB = 1024 * 1024;

describe('an agent that is a command', () => {
  test('reads the request from stdin and answers on stdout', async () => {
    expect(await asker.shell('printf "<%s>" "$(cat)"').ask()).toEqual(answered(`<${REQUEST}>`));
  });

  test('is told where to append what it does, when the run has such a file', async () => {
    become({ worklogOf: (run) => `/logs/${run}.jsonl` });
    expect(await asker.shell('printf %s "$BATON_WORKLOG"').ask()).toEqual(answered(`/logs/${asker.here.run}.jsonl`));
  });

  test('runs in the workspace, with its marker and nothing else of ours', async () => {
    become({
      environment: { PATH, HOME: '/home/u', SECRET: 's', MINE: 'm', THEIRS: 't', BATON_TOKEN: 'b', BATON_HOME: 'h' },
      envNamesOf: async () => ['THEIRS', 'BATON_TOKEN', 'MISSING'],
    });
    const { here } = asker;
    const outcome = await asker.command(['sh', '-c', 'pwd; env | sort | grep -v ^BATON_SPAWN'], ['MINE']).ask();
    expect(outcome).toEqual(
      answered(
        [
          here.home,
          `BATON_HANDOFF=${here.run}/h1/1`,
          `BATON_RUN=${here.run}`,
          `BATON_WORKSPACE=${here.home}`,
          'HOME=/home/u',
          'MINE=m',
          `PATH=${PATH}`,
          `PWD=${here.home}`,
          'THEIRS=t',
          '',
        ].join('\n'),
      ),
    );
  });

  test('needs no shell: what looks like one is an argument', async () => {
    expect(await asker.command(['printf', '%s|', 'a; b', '$HOME', '`c`']).ask()).toEqual(answered('a; b|$HOME|`c`|'));
  });

  test('may answer nothing, which is no answer but no failure of the command', async () => {
    expect(await asker.shell('exit 0').ask()).toEqual(answered(''));
  });

  test('need not read its request, however large', async () => {
    const request = JSON.stringify({ prompt: 'x'.repeat(2 * MIB) });
    expect(await asker.shell('exec <&-; echo done').ask({}, request)).toEqual(answered('done\n'));
    expect(await asker.shell('wc -c').ask({}, request)).toEqual(answered(`${request.length}\n`));
  });

  test('answers up to 2 MiB, to the byte', async () => {
    const outcome = await asker.shell(`head -c ${2 * MIB} /dev/zero | tr '\\0' x`).ask();
    expect(outcome.type === 'answered' && outcome.text.length).toBe(2 * MIB);
    expect(await asker.shell(`head -c ${2 * MIB + 1} /dev/zero | tr '\\0' x`).ask()).toEqual(
      failed('crash', 'its answer is larger than 2097152 bytes; it was ended'),
    );
  });

  test('keeps its byte order mark and its characters, wherever they are cut', async () => {
    const text = `\ufeff${'aä€😀'.repeat(50_000)}`;
    writeFileSync(asker.here.file('answer'), text);
    expect(await asker.shell('cat answer').ask()).toEqual(answered(text));
  });

  test('whose answer is not UTF-8 has crashed: nothing is guessed', async () => {
    expect(await asker.shell("printf 'a\\377b'").ask()).toEqual(failed('crash', 'its answer is not valid UTF-8'));
  });
});

describe('the exit of a command', () => {
  test.each([
    ['exit 75', 'network', 'exit 75'],
    ['echo "No space left on device" >&2; exit 75', 'network', 'exit 75: No space left on device'],
    ['exit 126', 'not-found', 'exit 126'],
    ['exit 127', 'not-found', 'exit 127'],
    ['nosuchprogram-x', 'not-found', expect.stringMatching(/^exit 127: .*nosuchprogram-x/)],
    ['exit 1', 'crash', 'exit 1'],
    ['exit 125', 'crash', 'exit 125'],
    ['kill -9 $$', 'crash', 'SIGKILL'],
    ['kill -SEGV $$', 'crash', 'SIGSEGV'],
    ['echo "write: ENOSPC: no space" >&2; exit 1', 'disk-full', 'exit 1: write: ENOSPC: no space'],
    ['seq 1 9 >&2; printf "\\033[31mred\\033[0m\\r\\n\\n" >&2; exit 3', 'crash', 'exit 3: 6\n7\n8\n9\nred'],
  ])('%s is a failure, and stdout is ignored then', async (script, failure, reason) => {
    expect(await asker.shell(`echo '{"action":"COMPLETED"}'; ${script}`).ask()).toEqual(failed(failure, reason));
  });

  test.each([
    [
      'Node’s trace',
      'console.error("reading"); require("node:fs").readFileSync("price.js")',
      "exit 1: Error: ENOENT: no such file or directory, open 'price.js'",
    ],
    [
      'a trace that something follows',
      'console.error(new TypeError("no such tax").stack); console.error("giving up"); process.exit(4)',
      'exit 4: TypeError: no such tax\ngiving up',
    ],
  ])('with %s is told by the line that says the error', async (_, script, reason) => {
    expect(await asker.command([process.execPath, '-e', script]).ask()).toEqual(failed('crash', reason));
  });

  test('on a full disk is told as one', async () => {
    const outcome = await asker.shell('cat /bin/sh > /dev/full').ask();
    expect(outcome).toMatchObject(failed('disk-full', expect.stringContaining('No space left on device')));
  });
});

describe('a command that cannot be started', () => {
  test('is not found when there is no such program, or it is none', async () => {
    expect(await asker.command(['no-such-agent']).ask()).toEqual(
      failed('not-found', `no-such-agent is in none of ${PATH.split(':').join(', ')}`),
    );
    const file = asker.here.file('agent.sh');
    writeFileSync(file, 'echo hi');
    chmodSync(file, 0o644);
    expect(await asker.command([file]).ask()).toEqual(failed('not-found', `${file} is not an executable file`));
  });

  test('is told from one that has no workspace', async () => {
    const gone = path.join(asker.here.home, 'gone');
    become({ workspaceOf: () => gone });
    expect(await asker.shell('echo hi').ask()).toEqual(failed('workspace', `there is no folder ${gone}`));
    become({ workspaceOf: () => undefined });
    expect(await asker.shell('echo hi').ask()).toEqual(failed('crash', 'the run has no workspace'));
  });

  test('has run nothing when it was ended before', async () => {
    asker.here.abort.abort();
    expect(await asker.shell('touch ran').ask()).toEqual(failed('crash', 'it was ended before it answered'));
    expect(asker.here.has('ran')).toBe(false);
  });
});

describe('a command that floods', () => {
  test('stdout with 100 MB is ended long before it is through', async () => {
    const outcome = await asker.shell('head -c 100000000 /dev/zero; touch through').ask();
    expect(outcome).toEqual(failed('crash', 'its answer is larger than 2097152 bytes; it was ended'));
    expect(asker.here.has('through')).toBe(false);
  });

  test('stdout for ever, with a daemon that does so too, is ended with it', async () => {
    const { nap } = asker.here;
    expect(await asker.shell(`(setsid sh -c '${nap} & yes' &); yes`).ask()).toMatchObject({ failure: 'crash' });
  });

  test('stderr with 100 MB is read to its end; the log is cut and says so', async () => {
    const outcome = await asker.shell("head -c 100000000 /dev/zero | tr '\\0' e >&2; echo fine").ask();
    expect(outcome).toEqual(answered('fine\n'));
    const log = asker.log.join('');
    expect(log.length).toBe(LOG_BYTES_MAX + '\n[the rest of the log is not kept]\n'.length);
    expect(log.endsWith('e\n[the rest of the log is not kept]\n')).toBe(true);
  });

  test('is heard while it works, in whole characters', async () => {
    const gate = asker.here.file('go');
    const script = `printf 'half \\303' >&2; while [ ! -e ${gate} ]; do sleep 0.01; done; printf '\\244 whole' >&2`;
    const asked = asker.shell(script).ask();
    await until('it is heard', () => asker.log.length > 0);
    expect(asker.log.join('')).toBe('half ');
    writeFileSync(gate, '');
    await asked;
    expect(asker.log.join('')).toBe('half ä whole');
  });
});

describe('a command that hangs', () => {
  test('is ended at its deadline, with every daemon it started', async () => {
    const { here } = asker;
    const deaf = `trap '' TERM; (setsid nohup ${here.nap} >/dev/null 2>&1 &); ${here.nap} & echo '{"half":'; while :; do sleep 1; done`;
    const asked = asker.shell(deaf).ask();
    await until('both nap', () => here.survivors().filter(({ command }) => command === here.nap).length === 2);
    here.abort.abort();
    expect(await asked).toEqual(failed('crash', 'it was ended before it answered'));
    expect(here.survivors()).toEqual([]);
    expect(await here.table.list({ run: here.run })).toEqual([]);
  });

  test('and is of a handoff that somebody else owns now never runs', async () => {
    const { gate } = asker.here;
    become({ gate: { ...gate, table: { ...gate.table, add: async () => false } } });
    expect(await asker.shell('touch ran').ask()).toMatchObject({ failure: 'crash' });
    expect(asker.here.has('ran')).toBe(false);
  });

  test('in a daemon only has answered: the daemon is ended and the answer stands', async () => {
    const { nap } = asker.here;
    expect(await asker.shell(`(setsid ${nap} &); echo done`).ask()).toEqual(answered('done\n'));
    expect(asker.here.survivors()).toEqual([]);
  });
});

test('a real program answers the document’s request', async () => {
  const script = asker.here.file('agent.mjs');
  writeFileSync(
    script,
    `import { readFileSync, writeFileSync } from 'node:fs';
const request = JSON.parse(readFileSync(0, 'utf8'));
writeFileSync('made.txt', request.phase);
console.error('working');
console.log(JSON.stringify({ action: 'COMPLETED', evidence_files: ['made.txt'], summary_for_supervisor: 'Made it.' }));`,
  );
  const outcome = await asker.command([process.execPath, script]).ask();
  expect(outcome).toMatchObject({ type: 'answered', text: expect.stringContaining('"made.txt"') });
  expect(readFileSync(asker.here.file('made.txt'), 'utf8')).toBe('implementation');
  expect(asker.log.join('')).toBe('working\n');
  rmSync(script);
});
