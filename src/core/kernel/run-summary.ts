/** The run's row in lists. Everything recovery, timers and people need without reading its events. */
export type RunSummary = {
  status: string;
  title: string;
  agent: string | null;
  project: string | null;
  parent: string | null;
  /** Something other than time or a human must move it on. */
  owes: boolean;
  /** The next moment at which time itself moves it on. */
  wakeAtMs: number | null;
  /** What it rests on, in words, or null. */
  waitingFor: string | null;
  /** It will never move again. */
  ended: boolean;
  costMicroUsd: number;
  tokens: number;
  /** How long somebody has worked on it. */
  activeMs: number;
  handoffs: number;
  /** What full-text search finds it by, besides its title. */
  text?: string;
};

/** Of a run that is only kept: nothing is owed to it, and it never ends. */
export const KEPT: Omit<RunSummary, 'status' | 'title'> = {
  agent: null,
  project: null,
  parent: null,
  owes: false,
  wakeAtMs: null,
  waitingFor: null,
  ended: false,
  costMicroUsd: 0,
  tokens: 0,
  activeMs: 0,
  handoffs: 0,
};
