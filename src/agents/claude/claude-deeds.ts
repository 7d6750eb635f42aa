import { type Fields, fields, list, oneLine, text } from '../cli/fields.js';
import { commandLine, endLine, spokenLine } from '../cli/log-lines.js';

/** Tools whose good end says nothing that their beginning has not said. */
const QUIET: Readonly<Record<string, string>> = {
  Read: 'reads',
  NotebookRead: 'reads',
  Write: 'writes',
  Edit: 'edits',
  MultiEdit: 'edits',
  NotebookEdit: 'edits',
};
/** What tells most about a call, in this order. */
const TELLING = ['file_path', 'notebook_path', 'pattern', 'url', 'query', 'subject', 'description', 'skill'];
const CALLS_MAX = 1_000;
const TAGS = /<\/?tool_use_error>/g;
/** What it puts around the words of a helper. */
const REPORT = /The report follows:\n(.*?)(?:\nagentId: .*)?$/s;

/** What is said and done in the messages of Claude Code, as lines of the live log. */
export class ClaudeDeeds {
  /** Calls that are under way, by their names. */
  private readonly quiet = new Set<string>();

  lines(part: Fields): string[] {
    switch (part.type) {
      case 'text':
        return spokenLine('says', part.text);
      case 'thinking':
        return spokenLine('thinks', part.thinking);
      case 'tool_use':
        return [this.begun(text(part.id), text(part.name), fields(part.input))];
      case 'tool_result':
        return this.ended(part);
      default:
        return [];
    }
  }

  private begun(id: string, name: string, input: Fields): string {
    if (typeof input.command === 'string') return commandLine(input.command);
    const verb = QUIET[name];
    if (verb !== undefined && this.quiet.size < CALLS_MAX) this.quiet.add(id);
    const telling = TELLING.map((field) => text(input[field])).find((words) => words !== '');
    return `${verb ?? oneLine(name)} ${oneLine(telling ?? '')}`.trim();
  }

  private ended({ tool_use_id: id, is_error: isError, content }: Fields): string[] {
    const wasQuiet = this.quiet.delete(text(id));
    if (wasQuiet && !isError) return [];
    const whole = typeof content === 'string' ? content : list(content).map(wordsOf).join('\n');
    const words = REPORT.exec(whole)?.[1] ?? whole;
    return [endLine(isError ? 'failed' : 'done', words.replace(TAGS, ''))];
  }
}

function wordsOf(part: unknown): string {
  return text(fields(part).text);
}
