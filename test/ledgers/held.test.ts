import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { missing } from '../faults/stage/missing.js';
import { LedgerStage, statuses } from './ledger-stage.js';

const cannotRun = missing('bwrap') !== undefined;

/** Each tries to write beside its scope, in its own way, and reports done as if nothing had been. */
const TRIES = {
  directly: `try { writeFileSync('add.js', 'mine'); } catch (failure) { console.error(String(failure)); }`,
  'through a link': `
import { symlinkSync } from 'node:fs';
symlinkSync('../add.js', 'docs/link');
try { writeFileSync('docs/link', 'mine'); } catch (failure) { console.error(String(failure)); }
execFileSync('rm', ['docs/link']);
try { writeFileSync('add.js', 'mine'); } catch (failure) { console.error(String(failure)); }`,
  'by a child': `try { execFileSync('sh', ['-c', 'echo mine > stray.txt'], { stdio: 'inherit' }); } catch {}`,
};

test.skipIf(cannotRun).each(Object.entries(TRIES))(
  'writing outside of lock_scope %s fails in the sandbox, and the task ends SCOPE_VIOLATION',
  { timeout: 120_000 },
  async (_, tries) => {
    const stage = new LedgerStage();
    stage.configure({});
    await stage.agent(
      'sly',
      `${tries}\nconsole.error('could: ' + (readFileSync('add.js', 'utf8') === 'mine' || existsSync('stray.txt')));\nresult();`,
    );
    const { exit, printed } = await stage.operator('run', stage.plan([stage.task(1, ['docs/'])]), '--agent', 'sly');
    expect([exit, printed.tasks[0]]).toMatchObject([1, { status: 'failed', code: 'SCOPE_VIOLATION', attempt: 1 }]);
    const { out } = await stage.cli('operator', 'worklog', stage.run, 'T-1', '--log');
    expect(out).toContain('could: false');
    expect([stage.file('add.js'), existsSync(`${stage.repo}/stray.txt`)]).toEqual([
      'exports.add = (a, b) => a - b;\n',
      false,
    ]);
    expect(stage.git('branch', '--list', 'baton/*'), 'nothing of it is merged').toBe('');
  },
);

test.skipIf(cannotRun)(
  'inside of it everything can be written, also what is not there yet',
  { timeout: 120_000 },
  async () => {
    const stage = new LedgerStage();
    stage.configure({});
    await stage.agent(
      'w',
      `
mkdirSync('lib/deep', { recursive: true });
writeFileSync('lib/deep/a.js', 'a');
writeFileSync('new.md', 'b');
appendFileSync('add.js', '// c\\n');
result();`,
    );
    const { exit, printed } = await stage.operator(
      'run',
      stage.plan([stage.task(1, ['lib/', 'new.md', 'add.js'])]),
      '--agent',
      'w',
    );
    expect([exit, statuses(printed.tasks)]).toEqual([0, { 'T-1': 'done' }]);
    expect(stage.changedByTask().get('T-1')?.sort()).toEqual(['add.js', 'lib/deep/a.js', 'new.md']);
  },
);
