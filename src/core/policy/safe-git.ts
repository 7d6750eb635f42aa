import type { SafeProgram } from './safe-program.js';

const HISTORY = [
  /^-\d+$/,
  /^-n\d*$/,
  /^-[pswbMCzLSG]$/,
  /^-U\d+$/,
  ...['--oneline', '--stat', '--shortstat', '--numstat', '--name-only', '--name-status', '--graph', '--decorate'],
  ...['--all', '--max-count', '--since', '--until', '--after', '--before', '--author', '--grep', '--format'],
  ...['--pretty', '--abbrev-commit', '--no-merges', '--merges', '--first-parent', '--reverse', '--follow'],
  ...['--patch', '--no-patch', '--no-color', '--color', '--word-diff', '--unified', '--date', '--no-ext-diff'],
  ...['--cached', '--staged', '--check', '--quiet', '--exit-code', '--diff-filter', '--no-pager', '--no-textconv'],
];

/** Sub-commands that only read. Anything before the sub-command (`-c`, `-C`, `--git-dir`) is not in the list at all. */
export const SAFE_GIT: readonly SafeProgram[] = [
  {
    argv: ['git', 'status'],
    options: [
      '-s',
      '-b',
      '-sb',
      '--short',
      '--branch',
      '--porcelain',
      '--ignored',
      '--untracked-files',
      '-uno',
      '-uall',
    ],
    examples: { safe: ['git status --short'], unsafe: ['git -c core.fsmonitor=x status', 'git -C /tmp status'] },
  },
  ...['log', 'show', 'diff'].map((verb) => ({
    argv: ['git', verb] as const,
    options: HISTORY,
    examples: {
      safe: [`git ${verb} --stat HEAD`],
      unsafe: [
        ...[`git ${verb} --output=a`, `git ${verb} --outp=a`, `git ${verb} --ext-diff`, `git ${verb} --textconv`],
        ...[`git -c diff.external=x ${verb}`, `git --exec-path=. ${verb}`, `git -p ${verb}`],
      ],
    },
  })),
  {
    argv: ['git', 'branch'],
    options: ['-a', '-r', '-v', '-vv', '--all', '--show-current', '--list'],
    operandsMax: 0,
    examples: { safe: ['git branch -a', 'git branch'], unsafe: ['git branch new', 'git branch -D main'] },
  },
  {
    argv: ['git', 'tag', '--list'],
    options: [],
    examples: { safe: ['git tag --list v1'], unsafe: ['git tag v1', 'git tag --list -d v1'] },
  },
  {
    argv: ['git', 'remote', '-v'],
    options: [],
    operandsMax: 0,
    examples: { safe: ['git remote -v'], unsafe: ['git remote -v update', 'git remote add a b'] },
  },
  {
    argv: ['git', 'config', '--get'],
    options: [],
    operandsMax: 1,
    examples: {
      safe: ['git config --get user.name'],
      unsafe: ['git config user.name x', 'git config --get a --global'],
    },
  },
  {
    argv: ['git', 'stash', 'list'],
    options: [],
    operandsMax: 0,
    examples: { safe: ['git stash list'], unsafe: ['git stash', 'git stash drop'] },
  },
  {
    argv: ['git', 'rev-parse'],
    options: ['--short', '--abbrev-ref', '--show-toplevel', '--verify', '--git-dir', '--is-inside-work-tree', '-q'],
    examples: { safe: ['git rev-parse --short HEAD'], unsafe: ['git rev-parse --parseopt'] },
  },
  {
    argv: ['git', 'ls-files'],
    options: ['-z', '-c', '-d', '-m', '-o', '-s', '--cached', '--modified', '--others', '--exclude-standard'],
    examples: {
      safe: ['git ls-files -m'],
      unsafe: ['git ls-remote --upload-pack=x host:a', 'git fetch --upload-pack=x'],
    },
  },
  {
    argv: ['git', 'blame'],
    options: ['-L', /^-L\d+,\+?\d+$/, '-w', '-M', '-C', '-e', '--date'],
    examples: { safe: ['git blame -L1,5 a'], unsafe: ['git blame --contents=/etc/x a'] },
  },
  {
    argv: ['git', 'grep'],
    options: [/^-[ciEFGhHIlnPvw]+$/, /^-[ABC]\d*$/, '-e'],
    examples: { safe: ['git grep -n todo'], unsafe: ['git grep -Ox todo', 'git grep --open-files-in-pager=x todo'] },
  },
  {
    argv: ['git', 'cat-file'],
    options: ['-p', '-t', '-s', '-e'],
    examples: {
      safe: ['git cat-file -p HEAD'],
      unsafe: ['git cat-file --filters HEAD:a', 'git cat-file --textconv a'],
    },
  },
];
