import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const IDENTITY = ['-c', 'user.name=User', '-c', 'user.email=user@localhost', '-c', 'init.defaultBranch=main'];

/** A person's repository, with work in it that is not committed. */
export class UserRepository {
  readonly folder: string;
  private readonly before: string;

  constructor(folder: string) {
    this.folder = folder;
    mkdirSync(folder);
    this.git('init', '-q');
    writeFileSync(path.join(folder, 'README.md'), 'A project.\n');
    writeFileSync(path.join(folder, 'result.txt'), 'nothing yet\n');
    this.git('add', '.');
    this.git('commit', '-q', '-m', 'The beginning');
    writeFileSync(path.join(folder, 'README.md'), 'A project that somebody works on.\n');
    writeFileSync(path.join(folder, 'staged.txt'), 'to be committed\n');
    this.git('add', 'staged.txt');
    writeFileSync(path.join(folder, 'untracked.txt'), 'mine\n');
    this.before = this.fingerprint();
  }

  git(...args: readonly string[]): string {
    return execFileSync('git', [...IDENTITY, ...args], { cwd: this.folder, encoding: 'utf8', stdio: 'pipe' });
  }

  /** What jobs may not touch has changed. */
  problems(): string[] {
    const now = this.fingerprint();
    return now === this.before ? [] : [`the user's checkout was ${this.before} and is ${now}`];
  }

  /** The last line of a file on a branch; undefined when there is none. */
  show(branch: string, file: string): string | undefined {
    try {
      return this.git('show', `refs/heads/${branch}:${file}`);
    } catch {
      return undefined;
    }
  }

  private fingerprint(): string {
    const index = createHash('sha256')
      .update(readFileSync(path.join(this.folder, '.git/index')))
      .digest('hex');
    const files = ['README.md', 'result.txt', 'staged.txt', 'untracked.txt'];
    return JSON.stringify({
      head: this.git('rev-parse', 'HEAD').trim(),
      on: this.git('symbolic-ref', 'HEAD').trim(),
      index,
      status: this.git('--no-optional-locks', 'status', '--porcelain'),
      config: readFileSync(path.join(this.folder, '.git/config'), 'utf8'),
      others: this.git('for-each-ref', '--format=%(refname)').split('\n').filter(isNotOurs),
      files: files.map((file) => readFileSync(path.join(this.folder, file), 'utf8')),
    });
  }
}

function isNotOurs(ref: string): boolean {
  return !ref.startsWith('refs/heads/baton/') && !ref.startsWith('refs/baton/');
}
