/** What a scripted model says. Property names are those of the scenario file. */
export type ModelScenario = {
  /** What `/v1/models` lists; any model may be asked all the same. */
  models?: readonly string[];
  /** The first turn whose conditions hold is played. */
  turns: readonly Turn[];
};

export type Turn = {
  when?: {
    /** A piece of the last thing a person said. */
    prompt?: string;
    model?: string;
  };
  /** One answer each; the next one follows when the tools that were called have answered. */
  steps: readonly Step[];
};

export type Step = {
  reasoning?: string;
  /** Sealed reasoning that a client sends back; only the responses wire has it. */
  sealed_reasoning?: string;
  text?: string;
  tool_calls?: readonly ToolCall[];
  /** What is told on the wire. Absent means what the scripted tokenizer counts. */
  usage?: Figures;
  /** Before the first byte. */
  delay_ms?: number;
  /** Between one delta and the next. */
  delta_delay_ms?: number;
  /** Characters in one delta. */
  delta_chars?: number;
  /** Bytes of one write to the socket; absent means one write for each event. */
  write_bytes?: number;
  fault?: Fault;
};

export type ToolCall = {
  name: string;
  /** Of tools that come in groups; only the responses wire has them. */
  namespace?: string;
} & (
  | { arguments: Readonly<Record<string, unknown>> }
  /** Plain text for a custom tool; on wires without such tools it is the argument `input`. */
  | { input: string }
);
/** What came from the cache and what was written to it are parts of the input, as the reasoning is of the output. */
export type Figures = {
  input?: number;
  cached_input?: number;
  cache_write?: number;
  output?: number;
  reasoning?: number;
};

export type Fault = (
  | {
      kind: 'status';
      status: number;
      retry_after_s?: number;
      type?: string;
      message?: string;
      headers?: Readonly<Record<string, string>>;
    }
  | { kind: 'redirect'; location: string }
  /** The connection ends in the middle of the event behind `after_deltas`. */
  | { kind: 'cut'; after_deltas: number }
  | { kind: 'hang'; after_deltas: number }
  | { kind: 'garbage'; after_deltas: number }
  /** An error in the words of the wire, inside a stream that began well. */
  | { kind: 'error-event'; type: string; message?: string; after_deltas: number }
  /** The delta behind `after_deltas` comes again and again, until the client leaves. */
  | { kind: 'endless'; after_deltas: number }
  /** All is said, but not that it is the end. */
  | { kind: 'no-end' }
  /** It ran into its own limit of one answer. */
  | { kind: 'incomplete' }
  /** The answer has no name. */
  | { kind: 'no-id' }
  | { kind: 'no-usage' }
  /** Figures that are not true, of any type. */
  | { kind: 'wrong-usage'; report: { readonly [figure in keyof Figures]?: unknown } }
) & {
  /** Only while the client's own count of retries (`x-stainless-retry-count`) is below this. */
  retries_below?: number;
};
