/** Everything a command may touch of its process. Tests pass their own. */
export type Io = {
  out(text: string): void;
  err(text: string): void;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** True only where colour and progress are wanted. */
  readonly terminal: { readonly out: boolean; readonly err: boolean };
  /** Asks the person at the terminal; absent when nobody is there. Undefined when they went away. */
  ask?(question: string): Promise<string | undefined>;
  /** Starts this program once more with other words, on its own. What it said is there if it ends; absent in tests. */
  again?(argv: readonly string[]): { ended: Promise<string> };
  /** Standard input is a pipe of a shell, or a file: whoever gave it wants it read. */
  readonly isPiped?: boolean;
  /** Raw bytes of standard input. */
  stdin(): AsyncIterable<Uint8Array>;
};
