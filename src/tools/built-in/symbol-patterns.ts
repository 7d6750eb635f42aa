/** What can be defined, as people call it. */
export const SYMBOL_KINDS = ['function', 'method', 'class', 'interface', 'type', 'enum', 'constant', 'module'] as const;
export type SymbolKind = (typeof SYMBOL_KINDS)[number];

/** A line that defines something; its first group is the name. One pass: no part can match what the next one may. */
type Pattern = readonly [kind: SymbolKind, line: RegExp];

const NAME = '([A-Za-z_$][\\w$]*)';
const line = (text: string): RegExp => new RegExp(`^${text.replaceAll('NAME', NAME)}`);

const SCRIPT: readonly Pattern[] = [
  ['function', line('\\s*(?:export )?(?:default )?(?:declare )?(?:async )?function\\*? NAME')],
  ['class', line('\\s*(?:export )?(?:default )?(?:declare )?(?:abstract )?class NAME')],
  ['interface', line('\\s*(?:export )?(?:default )?(?:declare )?interface NAME')],
  ['enum', line('\\s*(?:export )?(?:declare )?(?:const )?enum NAME')],
  ['type', line('\\s*(?:export )?(?:declare )?type NAME(?:<| =)')],
  ['module', line('\\s*(?:export )?(?:declare )?(?:namespace|module) NAME')],
  [
    'function',
    line('(?:export )?(?:const|let|var) NAME(?:: [^=]{1,200})? = (?:async )?(?:function\\b|\\(|[\\w$]+ =>)'),
  ],
  ['constant', line('(?:export )?(?:declare )?const NAME')],
  [
    'method',
    line(
      '\\s+(?:(?:public|private|protected|static|override|async|get|set|readonly) ){0,4}(?!(?:if|for|while|switch|catch|return|function|new|throw|await|do|else|with|super)\\b)[*#]?NAME(?:<[^>]{1,100}>)?\\([^;]{0,300}\\{$',
    ),
  ],
];
const PYTHON: readonly Pattern[] = [
  ['function', line('(?:async )?def NAME')],
  ['method', line('\\s+(?:async )?def NAME')],
  ['class', line('\\s*class NAME')],
  ['type', line('type NAME')],
  ['constant', /^([A-Z][A-Z0-9_]*)(?:: [^=]{1,200})? ?= ?/],
];
const GO: readonly Pattern[] = [
  ['function', line('func NAME')],
  ['method', line('func \\([^)]{1,200}\\) NAME')],
  ['interface', line('type NAME(?:\\[[^\\]]{1,200}\\])? interface\\b')],
  ['type', line('type NAME')],
  ['constant', line('const NAME')],
  ['module', line('package NAME')],
];
const RUST: readonly Pattern[] = [
  [
    'function',
    line(
      '(?:pub(?:\\([^)]{1,50}\\))? )?(?:default )?(?:const )?(?:async )?(?:unsafe )?(?:extern "[^"]{1,20}" )?fn NAME',
    ),
  ],
  ['method', line('\\s+(?:pub(?:\\([^)]{1,50}\\))? )?(?:const )?(?:async )?(?:unsafe )?fn NAME')],
  ['class', line('\\s*(?:pub(?:\\([^)]{1,50}\\))? )?(?:struct|union) NAME')],
  ['enum', line('\\s*(?:pub(?:\\([^)]{1,50}\\))? )?enum NAME')],
  ['interface', line('\\s*(?:pub(?:\\([^)]{1,50}\\))? )?(?:unsafe )?trait NAME')],
  ['type', line('\\s*(?:pub(?:\\([^)]{1,50}\\))? )?type NAME')],
  ['constant', line('\\s*(?:pub(?:\\([^)]{1,50}\\))? )?(?:const|static)(?: mut)? NAME:')],
  ['module', line('\\s*(?:pub(?:\\([^)]{1,50}\\))? )?mod NAME')],
  ['function', line('\\s*macro_rules! NAME')],
];
const MODIFIERS =
  '(?:(?:public|private|protected|internal|static|final|abstract|sealed|synchronized|default|native|readonly) ){0,5}';
const JAVA: readonly Pattern[] = [
  ['class', line(`\\s*${MODIFIERS}(?:class|record) NAME`)],
  ['interface', line(`\\s*${MODIFIERS}@?interface NAME`)],
  ['enum', line(`\\s*${MODIFIERS}enum NAME`)],
  [
    'constant',
    line('\\s*(?:public |private |protected )?(?:static final|final static) [\\w<>\\[\\], .?]{1,100} NAME ?='),
  ],
  [
    'method',
    line(
      `\\s+${MODIFIERS}(?:<[^>]{1,100}> )?(?!(?:return|new|else|throw)\\b)[\\w<>\\[\\],.?]{1,100} NAME\\([^;]{0,300}\\{$`,
    ),
  ],
];
const C: readonly Pattern[] = [
  ['constant', line('\\s*#\\s*define NAME')],
  ['class', line('\\s*(?:typedef )?(?:class|struct|union) NAME[^;()]{0,200}\\{?$')],
  ['enum', line('\\s*(?:typedef )?enum (?:class )?NAME')],
  ['module', line('\\s*namespace NAME')],
  ['type', line('\\s*using NAME =')],
  ['type', /^\s*typedef [^;(){}]{1,200}[ *]([A-Za-z_]\w*);$/],
  ['method', /^(?!\s)[\w:<>,*& ]{1,200}[ *&]?\b\w+::(~?[A-Za-z_]\w*)\([^;]{0,300}$/],
  ['function', /^(?!\s|else\b|return\b|typedef\b)[A-Za-z_][\w:<>,*& ]{0,200}[ *&]([A-Za-z_]\w*)\([^;]{0,300}$/],
];
const RUBY: readonly Pattern[] = [
  ['method', /^\s*def (?:self\.)?([A-Za-z_]\w*[?!=]?)/],
  ['class', /^\s*class ([A-Z]\w*(?:::[A-Z]\w*){0,9})/],
  ['module', /^\s*module ([A-Z]\w*(?:::[A-Z]\w*){0,9})/],
  ['constant', /^\s*([A-Z][A-Z0-9_]+) = /],
];
const PHP: readonly Pattern[] = [
  ['function', line('function &?NAME')],
  ['method', line(`\\s+${MODIFIERS}function &?NAME`)],
  ['class', line(`\\s*${MODIFIERS}(?:class|trait) NAME`)],
  ['interface', line('\\s*interface NAME')],
  ['enum', line('\\s*enum NAME')],
  ['constant', line(`\\s*${MODIFIERS}const (?:\\w{1,50} )?NAME =`)],
];
const SHELL: readonly Pattern[] = [
  ['function', /^\s*function ([\w:.-]+)/],
  ['function', /^\s*([A-Za-z_][\w:.-]*) ?\( ?\)/],
  ['constant', /^(?:declare -r |readonly )([A-Za-z_]\w*)=/],
];

const BY_EXTENSION: Readonly<Record<string, readonly Pattern[]>> = Object.fromEntries(
  (
    [
      ['ts tsx mts cts js jsx mjs cjs', SCRIPT],
      ['py pyi', PYTHON],
      ['go', GO],
      ['rs', RUST],
      ['java', JAVA],
      ['c h cc cpp cxx hh hpp hxx', C],
      ['rb rake', RUBY],
      ['php', PHP],
      ['sh bash zsh', SHELL],
    ] as const
  ).flatMap(([extensions, patterns]) => extensions.split(' ').map((extension) => [extension, patterns] as const)),
);

/** Undefined for files of other languages. */
export function symbolPatterns(file: string): readonly Pattern[] | undefined {
  const extension = /\.(\w+)$/.exec(file)?.[1]?.toLowerCase() ?? '';
  return Object.hasOwn(BY_EXTENSION, extension) ? BY_EXTENSION[extension] : undefined;
}

export function definedIn(text: string, patterns: readonly Pattern[]): { name: string; kind: SymbolKind } | undefined {
  for (const [kind, pattern] of patterns) {
    const name = pattern.exec(text)?.[1];
    if (name !== undefined) return { name, kind };
  }
  return undefined;
}
