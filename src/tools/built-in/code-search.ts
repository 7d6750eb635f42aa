import { consideredFiles } from '../files/considered-files.js';
import { linesOf } from '../files/read-text.js';
import { scanFiles } from '../files/scan-files.js';
import { firstOf } from '../first-of.js';
import type { Machine } from '../machine.js';
import { needed, readParams } from '../read-params.js';
import { shortLine } from '../short-line.js';
import { type Done, stop, type Tool } from '../tool.js';
import { builtIn, type Place } from './built-in.js';
import { literalFinder, patternFinder } from './line-finder.js';
import { siftFiles } from './ripgrep.js';

const WANTED = { query: 'text', regex: 'yes or no', path: 'text', glob: 'text', max_results: 'count' } as const;
type Match = { path: string; line: number; text: string };

export function codeSearch(machine: Machine): Tool {
  const about =
    'Finds lines that hold a text, or match a regular expression: {query, regex?, path?, glob?, max_results?}';
  return builtIn('code_search', about, machine, async (params, place) => {
    const { regex = false, path, glob, max_results, ...wanted } = readParams(params, WANTED);
    const query = needed(wanted.query, 'query');
    if (/[\r\n]/.test(query)) stop('BadParams', 'query must be part of one line');
    const { git, errand, folder, own } = place;
    const files = await consideredFiles(folder, { path, glob }, { git, signal: errand.signal, own });
    return regex
      ? shown(await search(files, place, patternFinder(query, errand)), `matches ${query}`, max_results)
      : shown(await searchText(query, files, place), `holds ${JSON.stringify(query)}`, max_results);
  });
}

type Searched = Awaited<ReturnType<typeof search>>;

async function searchText(query: string, files: readonly string[], place: Place): Promise<Searched> {
  const sifted = await siftFiles(query, files, place);
  const searched = await search(sifted?.holding ?? files, place, literalFinder(query));
  if (!sifted) return searched;
  const { binary, large, unreadable } = searched.skipped;
  const skipped = { binary, large: large + sifted.large, unreadable: unreadable + sifted.unreadable };
  return { ...searched, searched: searched.searched + sifted.others, skipped };
}

async function search(files: readonly string[], place: Place, finder: ReturnType<typeof literalFinder>) {
  try {
    return await scanFiles<Match>(place.folder, files, {
      signal: place.errand.signal,
      async look(path, text) {
        const found = await finder.find(text);
        const lines = found.length > 0 ? linesOf(text) : [];
        return found.map((index) => ({ path, line: index + 1, text: shortLine(lines[index] ?? '') }));
      },
    });
  } finally {
    await finder.close();
  }
}

function shown({ found, total, searched, skipped }: Searched, relevance: string, wanted: number | undefined): Done {
  const { kept: matches, bounded } = firstOf(found, wanted, total);
  return {
    result: { matches, files_searched: searched, skipped, ...bounded },
    evidence: matches.map(({ path, line, text }) => ({ location: `${path}:${line}`, content: text, relevance })),
  };
}
