import type { ShellReading, SimpleCommand, Unreadable } from '../../core/policy/shell-reading.js';
import type { ParseShell } from './load-parser.js';
import { type Call, ScriptWalk, type Setting } from './script-walk.js';
import { statementProblem } from './statement-problem.js';
import { UnreadableLine, unreadable } from './unreadable.js';
import { type Started, unwrap } from './unwrap.js';

export const LINE_CHARS_MAX = 16 * 1024;
export const COMMANDS_MAX = 49;
export const DEPTH_MAX = 8;

export type RealFolder = (from: string, to: string) => string | null;
type Problem = { what: Unreadable; reason: string };

const VISIBLE = /^[\t\n\u0020-\u007e\u00a0-\u{10ffff}]*$/u;

/** Reads one line, with the lines inside it. What it does not understand it notes, and looks at the rest all the same. */
export class LineReader {
  private readonly commands: SimpleCommand[] = [];
  private problem: Problem | undefined;
  private readonly parse: ParseShell;
  private readonly realFolder: RealFolder;

  constructor(parse: ParseShell, realFolder: RealFolder) {
    this.parse = parse;
    this.realFolder = realFolder;
  }

  line(text: string, cwd: string): ShellReading {
    return this.reading(() => this.script(text, { folder: cwd, sets: [] }, 0));
  }

  argv(argv: readonly string[], cwd: string): ShellReading {
    const call: Call = { argv, openFrom: null, redirects: [], sets: [] };
    return this.reading(() => {
      if ((argv[0] ?? '').trim() === '') unreadable('syntax', 'it names no program');
      if (argv.some((word) => word.includes('\0'))) unreadable('characters', 'it holds U+0000');
      this.start(call, { folder: cwd, sets: [] }, 0);
    });
  }

  private reading(read: () => void): ShellReading {
    this.attempt(read);
    const { commands, problem } = this;
    return problem ? { understood: false, ...problem, commands } : { understood: true, commands };
  }

  private attempt(work: () => void): boolean {
    try {
      work();
      return true;
    } catch (failure) {
      if (!(failure instanceof UnreadableLine)) throw failure;
      this.problem ??= { what: failure.what, reason: failure.message };
      return false;
    }
  }

  private script(written: string, setting: Setting, depth: number): void {
    const text = joinLines(written);
    if (depth > DEPTH_MAX) unreadable('limit', `commands start commands more than ${DEPTH_MAX} deep`);
    if (text.length > LINE_CHARS_MAX) unreadable('limit', `it is longer than ${LINE_CHARS_MAX} characters`);
    if (!VISIBLE.test(text)) unreadable('characters', 'it holds a control character');
    const before = this.commands.length;
    this.parse(text, (root) => {
      const walk = new ScriptWalk(text, (call, at) => this.start(call, at, depth));
      const understood = this.attempt(() => {
        if (root.hasError) unreadable('syntax', 'it is not a whole command');
        walk.whole(root, setting);
      });
      // Something in it may be forbidden by name, understood or not.
      if (!understood) {
        this.commands.length = before;
        for (const node of root.descendantsOfType('command')) {
          if (node && this.commands.length < COMMANDS_MAX) this.attempt(() => walk.beginning(node, { ...setting }));
        }
      }
    });
  }

  private start(call: Call, setting: Setting, depth: number): void {
    const { argv, openFrom, redirects } = call;
    const [program = ''] = argv;
    const sets = [...setting.sets, ...call.sets];
    const { folder } = setting;
    if (this.commands.length >= COMMANDS_MAX) unreadable('limit', `it has more than ${COMMANDS_MAX} commands`);
    const command: SimpleCommand = { argv, openFrom, redirects, sets, folder, wrapper: false };
    const index = this.commands.push(command) - 1;
    if (/[\n\r]/.test(program)) unreadable('characters', 'the name of its program has a line break');
    if (openFrom === 0) unreadable('pattern', `the program ${program} is not known`);
    const problem = statementProblem(argv);
    if (problem) unreadable(problem.what, problem.reason);
    if (argv.length > 0) setting.folder = this.folderAfter(argv, openFrom, folder);
    const unwrapped = unwrap(call);
    if (!unwrapped) return;
    this.commands[index] = { ...command, wrapper: unwrapped.wrapper };
    for (const started of unwrapped.started) this.inner(started, { folder, sets }, depth + 1);
  }

  private inner(started: Started, setting: Setting, depth: number): void {
    if (depth > DEPTH_MAX) unreadable('limit', `commands start commands more than ${DEPTH_MAX} deep`);
    if (started.type === 'script') this.script(started.text, { ...setting }, depth);
    else {
      const { argv, openFrom, sets, elsewhere } = started;
      this.start({ argv, openFrom, redirects: [], sets }, { ...setting, ...(elsewhere && { folder: null }) }, depth);
    }
  }

  private folderAfter(argv: readonly string[], openFrom: number | null, folder: string | null): string | null {
    const [program = '', ...rest] = argv;
    if (program === 'pushd' || program === 'popd') return null;
    if (program !== 'cd') return folder;
    const [to, ...more] = rest[0] === '--' ? rest.slice(1) : rest;
    if (folder === null || openFrom !== null || to === undefined || to.startsWith('-') || more.length > 0) return null;
    return this.realFolder(folder, to);
  }
}

/**
 * A backslash before a line break joins two lines, even in the middle of a word, which the grammar does not know. Where
 * it may stand for itself (single quotes, comments, here-documents) it is left alone.
 */
function joinLines(text: string): string {
  return /['#]|<</.test(text) ? text : text.replace(/(?<!\\)((?:\\\\)*)\\\n/g, '$1');
}
