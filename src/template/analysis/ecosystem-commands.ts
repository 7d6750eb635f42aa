import type { ProjectCommands } from './codebase-analysis.js';
import type { Ecosystem } from './technologies.js';

/** What a kind of project is built and tested with, when a file of the project or a word in its manifest says so. */
export type CommandRule = {
  /** A file of the project, by its whole path. */
  file?: RegExp;
  /** A word in its manifests. */
  word?: string;
  buildTool?: string;
  commands: ProjectCommands;
};

/** All that fit apply; the first to name a command wins. */
export const COMMAND_RULES: Readonly<Record<Exclude<Ecosystem, 'node' | 'make'>, readonly CommandRule[]>> = {
  python: [
    { file: /^uv\.lock$/, buildTool: 'uv', commands: { install: 'uv sync', build: 'uv build' } },
    { file: /^poetry\.lock$/, buildTool: 'Poetry', commands: { install: 'poetry install', build: 'poetry build' } },
    { file: /^pdm\.lock$/, buildTool: 'PDM', commands: { install: 'pdm install', build: 'pdm build' } },
    { file: /^Pipfile$/, commands: { install: 'pipenv install --dev' } },
    { file: /^requirements\.txt$/, commands: { install: 'pip install -r requirements.txt' } },
    { file: /^(?:pyproject\.toml|setup\.py)$/, commands: { install: 'pip install -e .', build: 'python -m build' } },
    { file: /^tox\.ini$/, word: 'tox', commands: { test: 'tox' } },
    { word: 'pytest', commands: { test: 'pytest' } },
    { file: /^manage\.py$/, commands: { test: 'python manage.py test' } },
    { file: /(?:^|\/)conftest\.py$/, commands: { test: 'python -m pytest' } },
    { file: /(?:^|\/)test_[^/]+\.py$/, commands: { test: 'python -m unittest discover' } },
    { word: 'ruff', commands: { lint: 'ruff check .' } },
    { word: 'flake8', commands: { lint: 'flake8' } },
    { word: 'pylint', commands: { lint: 'pylint .' } },
  ],
  go: [
    {
      buildTool: 'go',
      commands: { install: 'go mod download', build: 'go build ./...', test: 'go test ./...', lint: 'go vet ./...' },
    },
  ],
  rust: [
    {
      buildTool: 'Cargo',
      commands: { install: 'cargo fetch', build: 'cargo build', test: 'cargo test', lint: 'cargo clippy' },
    },
  ],
  dotnet: [
    {
      buildTool: 'dotnet',
      commands: {
        install: 'dotnet restore',
        build: 'dotnet build',
        test: 'dotnet test',
        lint: 'dotnet format --verify-no-changes',
      },
    },
  ],
  jvm: [
    { file: /^mvnw$/, buildTool: 'Maven', commands: { build: './mvnw package', test: './mvnw test' } },
    { file: /^pom\.xml$/, buildTool: 'Maven', commands: { build: 'mvn package', test: 'mvn test' } },
    { file: /^gradlew$/, buildTool: 'Gradle', commands: { build: './gradlew build', test: './gradlew test' } },
    {
      file: /^build\.gradle(?:\.kts)?$/,
      buildTool: 'Gradle',
      commands: { build: 'gradle build', test: 'gradle test' },
    },
    { file: /^build\.sbt$/, buildTool: 'sbt', commands: { build: 'sbt compile', test: 'sbt test' } },
  ],
  php: [
    { buildTool: 'Composer', commands: { install: 'composer install' } },
    { word: 'pestphp/pest', commands: { test: 'vendor/bin/pest' } },
    { word: 'phpunit/phpunit', commands: { test: 'vendor/bin/phpunit' } },
  ],
  ruby: [
    { buildTool: 'Bundler', commands: { install: 'bundle install' } },
    { word: 'rspec-rails', commands: { test: 'bundle exec rspec' } },
    { word: 'rspec', commands: { test: 'bundle exec rspec' } },
    { word: 'rails', commands: { test: 'bin/rails test' } },
    { word: 'rubocop', commands: { lint: 'bundle exec rubocop' } },
  ],
  dart: [
    { word: 'flutter', buildTool: 'Flutter', commands: { install: 'flutter pub get', test: 'flutter test' } },
    { buildTool: 'Dart', commands: { install: 'dart pub get', test: 'dart test', lint: 'dart analyze' } },
  ],
  elixir: [{ buildTool: 'Mix', commands: { install: 'mix deps.get', build: 'mix compile', test: 'mix test' } }],
  cmake: [
    {
      file: /^CMakeLists\.txt$/,
      buildTool: 'CMake',
      commands: { build: 'cmake -B build && cmake --build build', test: 'ctest --test-dir build' },
    },
  ],
};

/** By the lock file beside package.json. */
export const NODE_PACKAGERS: readonly { file: string; name: string; install: string; run: string }[] = [
  { file: 'pnpm-lock.yaml', name: 'pnpm', install: 'pnpm install', run: 'pnpm run' },
  { file: 'yarn.lock', name: 'Yarn', install: 'yarn install', run: 'yarn run' },
  { file: 'bun.lock', name: 'Bun', install: 'bun install', run: 'bun run' },
  { file: 'package-lock.json', name: 'npm', install: 'npm ci', run: 'npm run' },
];
