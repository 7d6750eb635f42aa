import { expect, test } from 'vitest';
import { refusedWrite } from './refused-write.js';

const WORKSPACE = '/home/u/.baton/jobs/r/workspace';

test.each([
  ['sh: 1: cannot create src/api/a.js: Read-only file system', 'src/api/a.js'],
  ['/bin/bash: line 3: other.txt: Read-only file system', 'other.txt'],
  ["touch: cannot touch 'a b.txt': Read-only file system", 'a b.txt'],
  ["Error: EROFS: read-only file system, open 'README.md'", 'README.md'],
  ["OSError: [Errno 30] Read-only file system: './x/README.md'", 'x/README.md'],
  [`ln: failed to create symbolic link '${WORKSPACE}/link': Read-only file system`, 'link'],
  ['mv: cannot move ‘src’ to ‘lib’: Read-only file system', 'lib'],
  ['all is well\nrm: cannot remove "docs/d.md": Read-only file system\nmore', 'docs/d.md'],
])('%s tells of %s', (printed, path) => {
  expect(refusedWrite(printed, WORKSPACE)).toBe(path);
});

test.each([
  'the Read-only file system is fine',
  'PytestCacheWarning: could not create cache path .pytest_cache/v: [Errno 30] Read-only file system: .pytest_cache/v',
  "fatal: Unable to create '.git/index.lock': Read-only file system",
  "EROFS: read-only file system, mkdir 'node_modules/.cache'",
  "EROFS: read-only file system, open '/etc/passwd'",
  "EROFS: read-only file system, open '../outside'",
  'a.js: No such file or directory',
  '',
])('%s tells of nothing', (printed) => {
  expect(refusedWrite(printed, WORKSPACE)).toBeNull();
});
