/** Languages that programs are written in, by the ends of their files' names. */
const CODE: Readonly<Record<string, readonly string[]>> = {
  TypeScript: ['ts', 'tsx', 'mts', 'cts'],
  JavaScript: ['js', 'jsx', 'mjs', 'cjs'],
  Python: ['py', 'pyi'],
  Go: ['go'],
  Rust: ['rs'],
  'C#': ['cs'],
  'F#': ['fs', 'fsx'],
  'Visual Basic': ['vb'],
  Java: ['java'],
  Kotlin: ['kt', 'kts'],
  Scala: ['scala', 'sc'],
  Groovy: ['groovy'],
  Clojure: ['clj', 'cljs', 'cljc'],
  PHP: ['php'],
  Ruby: ['rb', 'rake'],
  Swift: ['swift'],
  'Objective-C': ['m', 'mm'],
  Dart: ['dart'],
  C: ['c', 'h'],
  'C++': ['cpp', 'cc', 'cxx', 'hpp', 'hh', 'hxx'],
  Elixir: ['ex', 'exs'],
  Erlang: ['erl', 'hrl'],
  Haskell: ['hs'],
  OCaml: ['ml', 'mli'],
  Lua: ['lua'],
  Perl: ['pl', 'pm'],
  R: ['r'],
  Julia: ['jl'],
  Zig: ['zig'],
  Nim: ['nim'],
  Shell: ['sh', 'bash', 'zsh', 'fish'],
  PowerShell: ['ps1', 'psm1'],
  SQL: ['sql'],
  Solidity: ['sol'],
  Vue: ['vue'],
  Svelte: ['svelte'],
  Astro: ['astro'],
};

/** What stands beside programs. A project of nothing else has no language of its own. */
const BESIDE: Readonly<Record<string, readonly string[]>> = {
  HTML: ['html', 'htm', 'cshtml', 'razor', 'erb', 'ejs', 'hbs', 'jinja', 'j2', 'twig'],
  CSS: ['css', 'scss', 'sass', 'less'],
  XAML: ['xaml', 'axaml'],
  JSON: ['json', 'jsonc', 'json5'],
  YAML: ['yaml', 'yml'],
  TOML: ['toml'],
  XML: ['xml', 'csproj', 'fsproj', 'vbproj', 'props', 'targets', 'resx'],
  Markdown: ['md', 'mdx', 'markdown'],
  'Protocol Buffers': ['proto'],
  GraphQL: ['graphql', 'gql'],
  Terraform: ['tf'],
};

const byExtension = (table: Readonly<Record<string, readonly string[]>>): ReadonlyMap<string, string> =>
  new Map(Object.entries(table).flatMap(([name, ends]) => ends.map((end) => [end, name] as const)));

const CODE_OF = byExtension(CODE);
const BESIDE_OF = byExtension(BESIDE);

/** Of interpreters and shells that only help along; with any other language there, they are not the project's. */
export const HELPING_LANGUAGES: ReadonlySet<string> = new Set(['Shell', 'PowerShell', 'SQL']);

export function languageOf(path: string): string | null {
  const end = extensionOf(path);
  return CODE_OF.get(end) ?? BESIDE_OF.get(end) ?? null;
}

export function isCode(language: string | null): boolean {
  return language !== null && Object.hasOwn(CODE, language);
}

/** In small letters, without the dot; empty when there is none. */
export function extensionOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  return dot <= 0 ? '' : name.slice(dot + 1).toLowerCase();
}
