import ts from 'typescript';

export type Seen = {
  /** Every module named by import, export-from, import(), require() or import type. */
  imports: string[];
  /** Impure things used, spelt as in the table below. */
  impure: string[];
  asynchronous: boolean;
  lines: number;
  longFunctions: { name: string; lines: number }[];
  onlyReexports: boolean;
};

const IMPURE_CALLS = ['Date.now', 'Math.random', 'performance.now', 'crypto.randomUUID', 'crypto.getRandomValues'];
const IMPURE_GLOBALS = [
  'process',
  'Buffer',
  'setTimeout',
  'setInterval',
  'setImmediate',
  'queueMicrotask',
  'fetch',
  'crypto',
  'performance',
];

/** What a source file does, read from its syntax tree: comments and strings do not count, dynamic imports do. */
export function inspect(name: string, text: string, functionLinesMax: number): Seen {
  const file = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true);
  const seen: Seen = {
    imports: [],
    impure: [],
    asynchronous: false,
    lines: text.split('\n').length,
    longFunctions: [],
    onlyReexports: file.statements.length > 0 && file.statements.every(isReexport),
  };
  const visit = (node: ts.Node): void => {
    const module = importedModule(node);
    if (module !== undefined) seen.imports.push(module);
    const impure = impureUse(node);
    if (impure !== undefined) seen.impure.push(impure);
    if (isAsynchronous(node)) seen.asynchronous = true;
    const long = longFunction(node, file, functionLinesMax);
    if (long) seen.longFunctions.push(long);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return seen;
}

function isReexport(statement: ts.Statement): boolean {
  return ts.isExportDeclaration(statement) && statement.moduleSpecifier !== undefined;
}

function importedModule(node: ts.Node): string | undefined {
  if ((ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) && node.moduleSpecifier) {
    return textOf(node.moduleSpecifier);
  }
  if (ts.isImportEqualsDeclaration(node) && ts.isExternalModuleReference(node.moduleReference)) {
    return textOf(node.moduleReference.expression);
  }
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) return textOf(node.argument.literal);
  if (!ts.isCallExpression(node)) return undefined;
  const dynamic = node.expression.kind === ts.SyntaxKind.ImportKeyword;
  const required = ts.isIdentifier(node.expression) && node.expression.text === 'require';
  return dynamic || required ? textOf(node.arguments[0]) : undefined;
}

/** A module that is computed cannot be checked, so it counts as a module of its own. */
function textOf(node: ts.Node | undefined): string {
  return node && ts.isStringLiteralLike(node) ? node.text : '(computed)';
}

function impureUse(node: ts.Node): string | undefined {
  if (ts.isNewExpression(node) && node.expression.getText() === 'Date' && (node.arguments?.length ?? 0) === 0) {
    return 'new Date()';
  }
  if (ts.isPropertyAccessExpression(node) && IMPURE_CALLS.includes(node.getText())) return node.getText();
  if (!ts.isIdentifier(node) || !IMPURE_GLOBALS.includes(node.text)) return undefined;
  return isNameOnly(node) ? undefined : node.text;
}

/** `state.process` or `{ process: 1 }` only spell a word; `process.exit()` uses the global. */
function isNameOnly(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.name === node;
  return (
    (ts.isPropertyAssignment(parent) && parent.name === node) ||
    ts.isPropertySignature(parent) ||
    ts.isMethodSignature(parent) ||
    ts.isPropertyDeclaration(parent) ||
    ts.isTypeReferenceNode(parent)
  );
}

function isAsynchronous(node: ts.Node): boolean {
  if (ts.isAwaitExpression(node)) return true;
  return (
    ts.canHaveModifiers(node) && (ts.getModifiers(node) ?? []).some(({ kind }) => kind === ts.SyntaxKind.AsyncKeyword)
  );
}

function longFunction(
  node: ts.Node,
  file: ts.SourceFile,
  linesMax: number,
): { name: string; lines: number } | undefined {
  if (!ts.isFunctionLike(node) || !('body' in node) || !node.body) return undefined;
  const from = file.getLineAndCharacterOfPosition(node.getStart()).line;
  const lines = file.getLineAndCharacterOfPosition(node.end).line - from + 1;
  const name = node.name?.getText() ?? `function at line ${from + 1}`;
  return lines > linesMax ? { name, lines } : undefined;
}
