import { checkedPath, refusePath } from '../files/checked-path.js';
import { refuseOwn } from '../files/own-place.js';
import { FILE_BYTES_MAX, linesOf, readText } from '../files/read-text.js';
import type { Machine } from '../machine.js';
import { needed, readParams } from '../read-params.js';
import { shortLine } from '../short-line.js';
import { stop, type Tool } from '../tool.js';
import { builtIn } from './built-in.js';

const LINES_MAX = 2_000;
const CHARS_MAX = 100_000;

export function readFile(machine: Machine): Tool {
  const about = 'Gives the lines of a file: {path, start_line?, end_line?}';
  return builtIn('read_file', about, machine, async (params, { folder, own }) => {
    const wanted = readParams(params, { path: 'text', start_line: 'count', end_line: 'count' });
    const path = checkedPath(needed(wanted.path, 'path'));
    refuseOwn(own, path);
    const lines = linesOf(await textOf(folder, path));
    const { start_line = 1, end_line = Math.max(lines.length, start_line) } = wanted;
    if (end_line < start_line) stop('BadParams', 'end_line lies before start_line');
    if (start_line > Math.max(1, lines.length)) stop('ToolError', `${path} has only ${lines.length} lines`);

    const asked = lines.slice(start_line - 1, end_line);
    const kept = fitting(asked);
    const last = start_line - 1 + kept.length;
    const left_out = asked.length - kept.length;
    const range = { path, start_line, end_line: last, total_lines: lines.length };
    const [first = ''] = kept;
    const relevance = `lines ${start_line} to ${last} of ${path} were read`;
    return {
      result: { ...range, content: kept.join('\n'), ...(left_out > 0 && { truncated: true, left_out }) },
      evidence: kept.length === 0 ? [] : [{ location: `${path}:${start_line}`, content: shortLine(first), relevance }],
    };
  });
}

async function textOf(folder: string, path: string): Promise<string> {
  const read = await readText(folder, path);
  switch (read.type) {
    case 'text':
      return read.text;
    case 'missing':
      return stop('ToolError', `there is no file ${path === '' ? '.' : path}`);
    case 'refused':
      return refusePath(path, read.because);
    case 'binary':
      return stop('ToolError', `${path} is not text`);
    case 'large':
      return stop('ToolError', `${path} has ${read.bytes} bytes; at most ${FILE_BYTES_MAX} are read`);
  }
}

/** As many lines as may be given at once; one that is too long by itself is cut. */
function fitting(lines: readonly string[]): string[] {
  let chars = 0;
  const kept: string[] = [];
  for (const line of lines.slice(0, LINES_MAX)) {
    chars += line.length + 1;
    if (chars > CHARS_MAX && kept.length > 0) break;
    kept.push(line.slice(0, CHARS_MAX));
  }
  return kept;
}
