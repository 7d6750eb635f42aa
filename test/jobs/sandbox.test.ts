import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { ANSWERS, JobStage, prints } from './job-stage.js';

const LONG_MS = 60_000;
const FIXED = prints({ ...ANSWERS.completed, evidence_files: ['add.js'] });

function stageWithSandbox(): JobStage {
  const stage = new JobStage();
  stage.configure({ sandbox: { mode: 'bwrap' } });
  writeFileSync(path.join(stage.home, 'token'), 'c4nary-of-the-token\n', { mode: 0o600 });
  return stage;
}

const run = (stage: JobStage, ...more: string[]) =>
  stage.json('run', 'Fix add', '--id', 'j', '--agent', 'worker', '--supervisor', 'none', ...more);

describe('in the sandbox', { timeout: LONG_MS }, () => {
  test('an agent does its work, git works, and the check proves it', async () => {
    const stage = stageWithSandbox();
    await stage.shell(
      'worker',
      `git log --oneline >&2 && sed -i 's/a - b/a + b/' add.js && git status --short >&2\n${FIXED}`,
    );
    const { printed } = await run(stage, '--check', 'node test/add.test.js');
    expect([printed.status, printed.reason]).toEqual(['SUCCESS', null]);
    expect((await stage.ok('events', '--run', 'j')).out, 'the log names it').toContain('sandbox=bwrap');
    expect((await stage.ok('job', 'log', 'j')).out).toMatch(/: [0-9a-f]+ first\n[\s\S]*M add\.js/);
  });

  test('it reaches neither what is Baton’s, nor what is the user’s, nor the network', async () => {
    const stage = stageWithSandbox();
    const tries = [
      `cat ${stage.home}/token`,
      `ls ${stage.home}/baton.db`,
      'echo x > .git/hooks/post-checkout',
      'echo x > baton.json',
      'exec 3<>/dev/tcp/127.0.0.1/22',
    ].map((act) => `if (${act}) >/dev/null 2>&1; then echo "did: ${act}" >&2; fi`);
    const outside = `echo x > ${stage.repo}/planted; echo x > ${stage.folder}/planted`;
    await stage.shell(
      'worker',
      `${tries.join('\n')}\n(${outside}) 2>/dev/null\nsed -i 's/a - b/a + b/' add.js\n${FIXED}`,
    );
    const before = stage.checkout();
    expect((await run(stage)).printed.status).toBe('SUCCESS');
    expect((await stage.ok('job', 'log', 'j')).out).not.toContain('did:');
    expect([stage.checkout(), existsSync(path.join(stage.folder, 'planted'))]).toEqual([before, false]);
  });

  test('a check reaches no more than an agent', async () => {
    const stage = stageWithSandbox();
    await stage.shell('worker', `sed -i 's/a - b/a + b/' add.js\n${FIXED}`);
    const peeps = `cat ${stage.home}/token`;
    const { printed } = await run(stage, '--check', `sh -c "${peeps} && exit 0; exit 3"`);
    expect(printed).toMatchObject({ status: 'INTERVENTION_REQUIRED' });
    expect(JSON.stringify(await stage.history('j'))).toContain('exit 3');
  });

  test('who may do everything is not held, and who may only read writes nothing', async () => {
    const stage = stageWithSandbox();
    await stage.shell(
      'worker',
      `sed -i 's/a - b/a + b/' add.js 2>/dev/null || echo "held" >&2\n${prints(ANSWERS.completed)}`,
    );
    const script = path.join(stage.folder, 'worker.sh');
    const register = (rights: string) =>
      stage.ok('agent', 'register', 'worker', '--adapter', 'command', '--command', script, '--sandbox', rights);
    await register('read-only');
    await run(stage);
    expect((await stage.ok('job', 'log', 'j')).out).toContain(': held');
    await register('danger-full-access');
    await stage.ok('job', 'fork', 'j', '--id', 'k');
    await stage.ok('job', 'run', 'k');
    expect((await stage.ok('job', 'log', 'k')).out).not.toContain(': held');
  });

  test('an agent gets out only to the hosts that were named for it', async () => {
    const stage = stageWithSandbox();
    const connect = `
      const net = require('node:net');
      const { hostname, port } = new URL(process.env.HTTPS_PROXY);
      const ask = (target) => new Promise((resolve) => {
        const socket = net.connect(port, hostname, () => socket.write('CONNECT ' + target + ' HTTP/1.1\\r\\n\\r\\n'));
        socket.once('data', (data) => { socket.destroy(); resolve(target + ' ' + data.toString().split(' ')[1]); });
        socket.once('error', resolve);
      });
      (async () => { for (const one of ['named.invalid:443', 'other.invalid:443']) console.error(await ask(one)); })();`;
    writeFileSync(path.join(stage.folder, 'connect.cjs'), connect.replaceAll('\\\\', '\\'));
    const script = path.join(stage.folder, 'worker.mjs');
    const answer = JSON.stringify(ANSWERS.completed);
    writeFileSync(
      script,
      `import { spawnSync } from 'node:child_process';\nspawnSync(process.execPath, [${JSON.stringify(path.join(stage.folder, 'connect.cjs'))}], { stdio: 'inherit' });\nconsole.log('${answer}');\n`,
    );
    const command = `node ${script} ${path.join(stage.folder, 'connect.cjs')}`;
    await stage.ok('agent', 'register', 'worker', '--adapter', 'command', '--command', command);
    expect((await run(stage, '--net', 'named.invalid')).printed.status).toBe('SUCCESS');
    const { out } = await stage.ok('job', 'log', 'j');
    expect(out).toMatch(/: named\.invalid:443 50\d\n/);
    expect(out).toContain(': other.invalid:443 403\n');
  });
});
