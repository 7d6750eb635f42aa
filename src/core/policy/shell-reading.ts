/** A redirection that opens a file. Those that only copy or close descriptors change nothing and are left out. */
export type Redirect = { kind: 'read' | 'write'; target: string };

/** One program as it would be started, with quotes resolved. */
export type SimpleCommand = {
  argv: readonly string[];
  /** From this word on, what the program is given is not known: file names of a pattern, lines of standard input. */
  openFrom: number | null;
  /** Only starts the command behind it in the list (`env`, `timeout`, `sh -c`): that one decides. */
  wrapper: boolean;
  redirects: readonly Redirect[];
  /** Names of environment variables that are set for it, by itself or by what ran before it. */
  sets: readonly string[];
  /** Absolute, links resolved; null when it cannot be known before the line runs. */
  folder: string | null;
};

/** Why a line cannot be known without running it. */
export type Unreadable =
  | 'syntax'
  | 'substitution'
  | 'variable'
  | 'pattern'
  | 'control-flow'
  | 'definition'
  | 'runs-text'
  | 'option'
  | 'characters'
  | 'limit';

/** What a line would start, in order. Where it was not understood, `commands` are those that were found all the same. */
export type ShellReading =
  | { understood: true; commands: readonly SimpleCommand[] }
  | { understood: false; what: Unreadable; reason: string; commands: readonly SimpleCommand[] };
