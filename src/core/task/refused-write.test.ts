import { expect, test } from 'vitest';
import type { PlanTask } from '../../contracts/generated/types/plan.js';
import { refusedWrite } from './refused-write.js';

const WORKSPACE = '/home/u/.baton/jobs/r/workspace';
const SPEC: Pick<PlanTask, 'lock_scope'> = { lock_scope: ['lib', './src/one.js'] };

test.each([
  ['sh: 1: cannot create src/api/a.js: Read-only file system', 'src/api/a.js'],
  ['/bin/bash: line 3: other.txt: Read-only file system', 'other.txt'],
  ["touch: cannot touch 'a b.txt': Read-only file system", 'a b.txt'],
  ["Error: EROFS: read-only file system, open 'README.md'", 'README.md'],
  ["OSError: [Errno 30] Read-only file system: './x/README.md'", 'x/README.md'],
  [`ln: failed to create symbolic link '${WORKSPACE}/link': Read-only file system`, 'link'],
  ['mv: cannot move ‘src’ to ‘lib’: Read-only file system', 'lib'],
  ["EROFS: read-only file system, open 'src/one.js.map'", 'src/one.js.map'],
  ["EROFS: read-only file system, open 'src/one.jsx'", 'src/one.jsx'],
  ["EROFS: read-only file system, open 'src/two.js.tmp.2.6db88b735670'", 'src/two.js.tmp.2.6db88b735670'],
  ["sed: couldn't open temporary file test/sedAb3xYz: Read-only file system", 'test/sedAb3xYz'],
  ['all is well\nrm: cannot remove "docs/d.md": Read-only file system\nmore', 'docs/d.md'],
])('%s tells of %s', (printed, path) => {
  expect(refusedWrite(printed, WORKSPACE, SPEC)).toBe(path);
});

test.each([
  'the Read-only file system is fine',
  'PytestCacheWarning: could not create cache path .pytest_cache/v: [Errno 30] Read-only file system: .pytest_cache/v',
  "fatal: Unable to create '.git/index.lock': Read-only file system",
  "EROFS: read-only file system, mkdir 'node_modules/.cache'",
  "EROFS: read-only file system, open '/etc/passwd'",
  "EROFS: read-only file system, open '../outside'",
  "EROFS: read-only file system, open 'src/one.js.tmp.2.6db88b735670'",
  `EROFS: read-only file system, open '${WORKSPACE}/src/one.js~'`,
  "sed: couldn't open temporary file src/sedAb3xYz: Read-only file system",
  'a.js: No such file or directory',
  '',
])('%s tells of nothing', (printed) => {
  expect(refusedWrite(printed, WORKSPACE, SPEC)).toBeNull();
});
