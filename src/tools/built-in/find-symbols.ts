import { consideredFiles } from '../files/considered-files.js';
import { linesOf } from '../files/read-text.js';
import { scanFiles } from '../files/scan-files.js';
import { firstOf } from '../first-of.js';
import type { Machine } from '../machine.js';
import { readParams } from '../read-params.js';
import { shortLine } from '../short-line.js';
import { stop, type Tool } from '../tool.js';
import { builtIn } from './built-in.js';
import { definedIn, SYMBOL_KINDS, symbolPatterns } from './symbol-patterns.js';

const WANTED = { query: 'text', name: 'text', path: 'text', glob: 'text', kind: 'text', max_results: 'count' } as const;
/** A longer line was not written by a person. */
const LINE_CHARS_MAX = 500;

export function findSymbols(machine: Machine): Tool {
  const about =
    'Finds where functions, classes, types and constants are defined: {query?, name?, kind?, path?, glob?, max_results?}';
  return builtIn('find_symbols', about, machine, async (params, { folder, git, errand: { signal }, own }) => {
    const { query, name, path, glob, kind, max_results } = readParams(params, WANTED);
    if (kind !== undefined && !SYMBOL_KINDS.some((one) => one === kind)) {
      stop('BadParams', `kind must be one of ${SYMBOL_KINDS.join(', ')}`);
    }
    const part = query?.toLowerCase();
    const isMeant = (symbol: { name: string; kind: string }): boolean =>
      (name === undefined || symbol.name === name) &&
      (part === undefined || symbol.name.toLowerCase().includes(part)) &&
      (kind === undefined || symbol.kind === kind);

    const files = await consideredFiles(folder, { path, glob }, { git, signal, own });
    const known = files.filter((file) => symbolPatterns(file) !== undefined);
    const { found, total, searched, skipped } = await scanFiles(folder, known, {
      signal,
      look: (file, text) => symbolsIn(file, text).filter(isMeant),
    });
    const { kept: symbols, bounded } = firstOf(found, max_results, total);
    return {
      result: { symbols, files_searched: searched, skipped, ...bounded },
      evidence: symbols.map((symbol) => ({
        location: `${symbol.path}:${symbol.line}`,
        content: symbol.text,
        relevance: `defines the ${symbol.kind} ${symbol.name}`,
      })),
    };
  });
}

function symbolsIn(path: string, text: string) {
  const patterns = symbolPatterns(path) ?? [];
  return linesOf(text).flatMap((content, index) => {
    if (content.length > LINE_CHARS_MAX) return [];
    const symbol = definedIn(content.trimEnd(), patterns);
    return symbol ? [{ ...symbol, path, line: index + 1, text: shortLine(content) }] : [];
  });
}
