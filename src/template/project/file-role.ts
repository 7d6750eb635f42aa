import { extensionOf, isCode } from './languages.js';
import type { FileRole } from './project.js';

type Rule = { role: FileRole; paths: RegExp };

/** The first that fits decides. */
const RULES: readonly Rule[] = [
  { role: 'test', paths: /(?:^|\/)(?:tests?|specs?|__tests__|__mocks__|e2e|testdata|fixtures)\// },
  { role: 'test', paths: /[.-](?:test|tests|spec|e2e)\.[a-z]+$|_(?:test|spec)\.[a-z]+$|(?:^|\/)test_[^/]+\.py$/ },
  { role: 'test', paths: /(?:^|[/._-])tests?\/|(?:^|\/)conftest\.py$/i },
  { role: 'test', paths: /[a-z0-9](?:Tests?|Specs?|IT)\.(?:java|kt|cs|fs|scala|php|swift|groovy)$/ },
  // They look like texts.
  { role: 'config', paths: /(?:^|\/)(?:CMakeLists|requirements[^/]*|constraints)\.txt$/ },
  {
    role: 'docs',
    paths: /\.(?:md|mdx|markdown|rst|adoc|txt)$|(?:^|\/)(?:LICEN[CS]E|NOTICE|AUTHORS|CHANGELOG|README)$/i,
  },
  {
    role: 'config',
    paths:
      /(?:^|\/)(?:Makefile|GNUmakefile|Dockerfile[^/]*|Containerfile|Procfile|Jenkinsfile|Gemfile|Rakefile|Vagrantfile|CMakeLists\.txt|go\.mod|go\.sum|gradlew|mvnw|manage\.py|setup\.py|\.[^/]+)$/,
  },
  { role: 'config', paths: /(?:^|\/)[^/]+\.config\.[cm]?[jt]s$|\.gradle(?:\.kts)?$/ },
  {
    role: 'config',
    paths:
      /\.(?:json|jsonc|json5|ya?ml|toml|ini|cfg|conf|properties|xml|csproj|fsproj|vbproj|sln|props|targets|lock|mod|sum|cmake|tf|editorconfig)$/i,
  },
];

export function roleOf(path: string, language: string | null): FileRole {
  for (const { role, paths } of RULES) if (paths.test(path)) return role;
  if (isCode(language)) return 'source';
  return SHOWN.has(extensionOf(path)) ? 'source' : 'asset';
}

/** Not programs, but written by the project's people as a part of it. */
const SHOWN: ReadonlySet<string> = new Set([
  ...['html', 'htm', 'cshtml', 'razor', 'erb', 'ejs', 'hbs', 'jinja', 'j2', 'twig', 'xaml', 'axaml'],
  ...['css', 'scss', 'sass', 'less', 'proto', 'graphql', 'gql'],
]);
