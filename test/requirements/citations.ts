import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

/** A test whose title names requirements, such as `… [R097, R098]` or `… [R524–R527]`. */
export type Citation = { file: string; title: string; ids: readonly string[]; expectedToFail: boolean };

/** Tests that do not run prove nothing, so what they cite does not count. */
const NOT_RUN = new Set(['skip', 'todo', 'skipIf', 'runIf']);

export function citationsUnder(root: string): Citation[] {
  return ['src', 'test'].flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.test.ts') && !file.includes('node_modules'))
      .flatMap((file) => citationsIn(`${folder}/${file}`, readFileSync(path.join(root, folder, file), 'utf8'))),
  );
}

/** Reads the program, not its characters: comments and other strings do not count. */
export function citationsIn(file: string, text: string): Citation[] {
  const found: Citation[] = [];
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest), []);
  return found;

  /** A title holds for the tests inside it: `describe('… [R1]')` cites for all of them, once. */
  function visit(node: ts.Node, around: readonly string[]): void {
    let modifiers = around;
    if (ts.isCallExpression(node)) {
      const chain = chainOf(node.expression);
      const title = titleOf(node.arguments[0]);
      if (chain && title !== undefined) {
        modifiers = [...around, ...chain];
        const ids = idsIn(title);
        const runs = !modifiers.some((modifier) => NOT_RUN.has(modifier));
        if (ids.length > 0 && runs) found.push({ file, title, ids, expectedToFail: modifiers.includes('fails') });
      }
    }
    ts.forEachChild(node, (child) => visit(child, modifiers));
  }
}

/** `test.fails.each(rows)` → ['fails', 'each']; undefined when it is no test at all. */
function chainOf(callee: ts.Expression): string[] | undefined {
  if (ts.isIdentifier(callee)) return ['test', 'it', 'describe'].includes(callee.text) ? [] : undefined;
  if (ts.isCallExpression(callee) || ts.isTaggedTemplateExpression(callee)) {
    return chainOf(ts.isCallExpression(callee) ? callee.expression : callee.tag);
  }
  if (!ts.isPropertyAccessExpression(callee)) return undefined;
  const before = chainOf(callee.expression);
  return before && [...before, callee.name.text];
}

function titleOf(argument: ts.Expression | undefined): string | undefined {
  if (!argument) return undefined;
  if (ts.isStringLiteralLike(argument)) return argument.text;
  if (!ts.isTemplateExpression(argument)) return undefined;
  return argument.head.text + argument.templateSpans.map(({ literal }) => `…${literal.text}`).join('');
}

function idsIn(title: string): string[] {
  return [...title.matchAll(/\[(R\d+(?:[,–] ?R\d+)*)\]/g)].flatMap(([, list = '']) =>
    list.split(', ').flatMap((item) => {
      const [first = '', last = first] = item.split('–');
      const [from, to] = [Number(first.slice(1)), Number(last.slice(1))];
      return Array.from({ length: to - from + 1 }, (_, index) => idOf(from + index));
    }),
  );
}

export function idOf(number: number): string {
  return `R${String(number).padStart(3, '0')}`;
}
