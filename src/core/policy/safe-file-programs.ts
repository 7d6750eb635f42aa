import type { SafeProgram } from './safe-program.js';

/** They look at no file at all. */
const INERT: readonly SafeProgram[] = [
  ['basename', 'basename /a/b.txt'],
  ['dirname', 'dirname /a/b.txt'],
  ['seq', 'seq 1 5'],
  ['sleep', 'sleep 1'],
  ['echo', 'echo hello'],
  ['pwd', 'pwd'],
  ['true', 'true'],
  ['false', 'false'],
  [':', ':'],
  ['exit', 'exit 1'],
  ['cd', 'cd src'],
].map(([program = '', example = '']) => ({
  argv: [program],
  touchesNothing: true,
  examples: { safe: [example], unsafe: [] },
}));

/** Nothing that they can be told makes them write, run or reach anything. */
const HARMLESS: readonly SafeProgram[] = [
  ['ls', 'ls -la src'],
  ['cat', 'cat -n a.txt'],
  ['head', 'head -n 5 a.txt'],
  ['tail', 'tail -n 5 a.txt'],
  ['wc', 'wc -l a.txt'],
  ['nl', 'nl a.txt'],
  ['tac', 'tac a.txt'],
  ['rev', 'rev a.txt'],
  ['cut', 'cut -d: -f1 a.txt'],
  ['tr', 'tr a-z A-Z'],
  ['paste', 'paste a.txt b.txt'],
  ['fold', 'fold -w 80 a.txt'],
  ['comm', 'comm a.txt b.txt'],
  ['join', 'join a.txt b.txt'],
  ['realpath', 'realpath a'],
  ['readlink', 'readlink -f a'],
  ['stat', 'stat a.txt'],
  ['du', 'du -sh src'],
  ['df', 'df -h'],
  ['id', 'id -u'],
  ['whoami', 'whoami'],
  ['uname', 'uname -a'],
  ['nproc', 'nproc'],
  ['cmp', 'cmp a b'],
  ['diff', 'diff -u a b'],
  ['md5sum', 'md5sum a'],
  ['sha1sum', 'sha1sum a'],
  ['sha256sum', 'sha256sum a'],
  ['cksum', 'cksum a'],
  ['od', 'od -c a'],
  ['strings', 'strings a'],
  ['jq', 'jq .version package.json'],
  ['grep', 'grep -rn todo src'],
  ['egrep', 'egrep a|b src'],
  ['fgrep', 'fgrep todo src'],
  ['which', 'which node'],
].map(([program = '', example = '']) => ({ argv: [program], examples: { safe: [example], unsafe: [] } }));

/** Read only as long as they are called like this. */
export const SAFE_FILE_PROGRAMS: readonly SafeProgram[] = [
  ...INERT,
  ...HARMLESS,
  {
    argv: ['ps'],
    options: ['-e', '-ef', '-A'],
    operands: /^aux$/,
    examples: { safe: ['ps aux', 'ps -ef'], unsafe: ['ps e', 'ps auxe', 'ps -ef e'] },
  },
  {
    argv: ['printf'],
    options: [],
    touchesNothing: true,
    examples: { safe: ['printf %s a'], unsafe: ['printf -v PATH /tmp'] },
  },
  {
    argv: ['command', '-v'],
    options: [],
    examples: { safe: ['command -v node'], unsafe: ['command node'] },
  },
  {
    argv: ['set'],
    options: [/^[-+][euxo]+$/],
    operands: /^(?:pipefail|errexit|nounset|xtrace)$/,
    touchesNothing: true,
    examples: { safe: ['set -euo pipefail'], unsafe: ['set -a', 'set -o allexport'] },
  },
  {
    argv: ['test'],
    options: [/^-[defhLnrswxz]$/, '-eq', '-ne', '-lt', '-le', '-gt', '-ge', '-nt', '-ot'],
    examples: { safe: ['test -f a'], unsafe: ['test -v a[0]'] },
  },
  {
    argv: ['date'],
    options: ['-u', '--utc', '-R', '-I', '--iso-8601'],
    operands: /^\+/,
    examples: { safe: ['date -u +%F'], unsafe: ['date -s 12:00', 'date 01010000'] },
  },
  {
    argv: ['hostname'],
    options: [],
    operandsMax: 0,
    examples: { safe: ['hostname'], unsafe: ['hostname other', 'hostname -F name'] },
  },
  {
    argv: ['file'],
    options: ['-b', '--brief', '-i', '--mime', '--mime-type', '-L'],
    examples: { safe: ['file -b a'], unsafe: ['file -C -m magic'] },
  },
  {
    argv: ['uniq'],
    options: [/^-[cdDiu]+$/],
    operandsMax: 1,
    examples: { safe: ['uniq -c a'], unsafe: ['uniq a b'] },
  },
  {
    argv: ['sort'],
    options: [/^-[bdfghinrRuVz]*(?:[kt].*)?$/, '--reverse', '--unique', '--numeric-sort', '--key'],
    examples: {
      safe: ['sort -rn a', 'sort -t: -k2,2 a'],
      unsafe: ['sort -o b a', 'sort -uo b a', 'sort --out=b a', 'sort --compress-program=x a'],
    },
  },
  {
    argv: ['tree'],
    options: [/^-[adfhisCD]+$/, '-L', '-I', '-P', '--noreport'],
    examples: { safe: ['tree -L 2'], unsafe: ['tree -o a'] },
  },
  {
    argv: ['sed', '-n'],
    options: [],
    firstOperand: /^\d{1,9}(?:,\d{1,9})?p$/,
    examples: {
      safe: ['sed -n 1,20p a'],
      unsafe: ['sed -i s/a/b/ a', 'sed -n -i 1p a', 'sed -n 1,2w/etc/x a', 'sed -n 1e a', 'sed -n -e 1p -e 1e a'],
    },
  },
  ...['-tf', '-tvf', '-tzf', '-tzvf'].map(
    (list): SafeProgram => ({
      argv: ['tar', list],
      options: [],
      operands: /^[^:]*$/,
      examples: {
        safe: [`tar ${list} a.tar`],
        unsafe: [
          `tar ${list} a.tar --to-command=x`,
          `tar ${list} a.tar --checkpoint-action=exec=x`,
          `tar ${list} host:a.tar`,
          'tar xf a.tar',
        ],
      },
    }),
  ),
  {
    argv: ['node', '--version'],
    options: [],
    operandsMax: 0,
    examples: { safe: ['node --version'], unsafe: ['node --version a.js', 'node a.js', 'node -e 1'] },
  },
];
