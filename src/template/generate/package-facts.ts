import { isObject } from '../../contracts/shared/is-object.js';

/** What the files of a package say about the project as a whole. */
export type PackageFacts = {
  name: string;
  description?: string;
  author?: string;
  version?: string;
  /** Names of what it uses; a project called like one of them is renamed with care. */
  dependencies: readonly string[];
};

type Found = { [Key in keyof PackageFacts]?: PackageFacts[Key] | undefined };

/** What is longer says something else than it should. */
const TEXT_LENGTH_MAX = 1000;

/** In the order in which they are believed. */
const READERS: readonly (readonly [file: string, read: (text: string) => Found])[] = [
  ['package.json', fromPackageJson],
  ['pyproject.toml', fromToml],
  ['Cargo.toml', fromToml],
  ['go.mod', fromGoMod],
];

/** `read` gives the text of a file at the top of the project, or undefined when there is none. */
export function packageFacts(folderName: string, read: (file: string) => string | undefined): PackageFacts {
  const found = READERS.flatMap(([file, facts]) => {
    const text = read(file);
    return text === undefined ? [] : [facts(text)];
  });
  const first = <Key extends keyof Found>(key: Key): Found[Key] => found.find((facts) => facts[key])?.[key];
  const [description, author, version] = [first('description'), first('author'), first('version')];
  return {
    name: first('name') ?? folderName,
    ...(description && { description }),
    ...(author && { author }),
    ...(version && { version }),
    dependencies: [...found.flatMap(({ dependencies = [] }) => dependencies), ...requirements(read)],
  };
}

function fromPackageJson(text: string): Found {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return {};
  }
  if (!isObject(parsed)) return {};
  const { name, description, author, version } = parsed;
  return {
    name: textOf(name)?.replace(/^@[^/]*\//, ''),
    description: textOf(description),
    author: person(textOf(isObject(author) ? author.name : author)),
    version: textOf(version),
    dependencies: ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'].flatMap((key) => {
      const listed = parsed[key];
      return isObject(listed) ? Object.keys(listed) : [];
    }),
  };
}

/** The few fields that are wanted stand on lines of their own, in every file of this kind. */
function fromToml(text: string): Found {
  const [, main = text] = /^\[(?:project|package|tool\.poetry)\][^\n]*\n([\s\S]*?)(?=^\[|(?![\s\S]))/m.exec(text) ?? [];
  const field = (name: string) => new RegExp(`^${name}\\s*=\\s*"([^"\\n]*)"`, 'm').exec(main)?.[1] || undefined;
  const [, author] = /^authors\s*=\s*\[\s*(?:\{[^}\n]*?name\s*=\s*)?"([^"\n]*)"/m.exec(main) ?? [];
  return {
    name: field('name'),
    description: field('description'),
    version: field('version'),
    author: person(author),
    dependencies: [...main.matchAll(/^[ \t]*"([A-Za-z0-9][\w.-]*)[^"\n]*",?[ \t]*$/gm)].map(([, name = '']) => name),
  };
}

function fromGoMod(text: string): Found {
  const [, module = ''] = /^module\s+(\S+)/m.exec(text) ?? [];
  const name = module
    .split('/')
    .filter((part) => !/^v\d+$/.test(part))
    .at(-1);
  return { name: name || undefined };
}

function requirements(read: (file: string) => string | undefined): string[] {
  const lines = (read('requirements.txt') ?? '').split('\n');
  return lines.flatMap((line) => /^[A-Za-z0-9][\w.-]*/.exec(line)?.[0] ?? []);
}

/** `Ada Lovelace <ada@example.com> (https://…)` is somebody called Ada Lovelace. */
function person(text: string | undefined): string | undefined {
  return text?.replace(/\s*[<(].*$/, '').trim() || undefined;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' && value.length <= TEXT_LENGTH_MAX ? value : undefined;
}
