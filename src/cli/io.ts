/** Everything a command may touch of its process. Tests pass their own. */
export type Io = {
  out(text: string): void;
  err(text: string): void;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** True only where colour and progress are wanted. */
  readonly terminal: { readonly out: boolean; readonly err: boolean };
  /** Raw bytes of standard input. */
  stdin(): AsyncIterable<Uint8Array>;
};
