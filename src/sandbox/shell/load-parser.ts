import { createRequire } from 'node:module';
import type { Node, Parser } from 'web-tree-sitter';
import { unreadable } from './unreadable.js';

/** A line that takes longer is not understood: nobody writes such lines by hand. */
const PARSE_MS_MAX = 500;

export type ParseShell = <T>(text: string, read: (root: Node) => T) => T;

let loading: Promise<Parser> | undefined;

/** Loaded when the first line is read: most commands of Baton never need it. */
export async function loadShellParser(): Promise<ParseShell> {
  loading ??= load();
  const parser = await loading;
  return (text, read) => {
    const endMs = performance.now() + PARSE_MS_MAX;
    const tree = parser.parse(text, null, { progressCallback: () => performance.now() > endMs });
    if (!tree) {
      parser.reset();
      unreadable('limit', `it takes longer than ${PARSE_MS_MAX} ms to read`);
    }
    try {
      return read(tree.rootNode);
    } finally {
      tree.delete();
    }
  };
}

async function load(): Promise<Parser> {
  const { Language, Parser } = await import('web-tree-sitter');
  await Parser.init();
  const language = await Language.load(
    createRequire(import.meta.url).resolve('tree-sitter-bash/tree-sitter-bash.wasm'),
  );
  return new Parser().setLanguage(language);
}
