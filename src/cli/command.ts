import type { Io } from './io.js';

export type OptionSpec = {
  type: 'string' | 'boolean';
  /** One letter, typed with one dash. */
  short?: string;
  /** May be given several times. */
  multiple?: boolean;
  /** How the value is named in help, e.g. FILE. */
  value?: string;
  choices?: readonly string[];
  /** What is meant when it stands without a value. */
  alone?: string;
  help: string;
};

/** What a command is called and takes, as data: parsing, help, completion and suggestions all read this. */
export type CommandSpec = {
  /** All words, e.g. `config get`. */
  name: string;
  summary: string;
  /** Positional arguments as shown in help, e.g. `CONTRACT [FILE…|-]`. */
  positionals?: string;
  /** How many positional arguments are required and allowed. */
  arity?: { min: number; max: number };
  options?: Readonly<Record<string, OptionSpec>>;
  /** What --json prints, where that is not one value. */
  json?: string;
  examples: readonly string[];
  /** Shown in the first help; the rest stands under "more". */
  first?: boolean;
};

export type Parsed = {
  positionals: readonly string[];
  /** Values by long option name; absent options are absent. */
  values: Readonly<Record<string, string | boolean | readonly string[] | undefined>>;
};

/** Parses nothing and holds no rule of the product: it is given parsed words, calls one function, answers. */
export type RunCommand = (parsed: Parsed, io: Io) => Promise<number>;
