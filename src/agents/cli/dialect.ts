import type { FailureKind, Verdict, Wanted } from '../../core/kernel/effect.js';
import type { CliSpec } from '../agent-spec.js';
import type { Hook } from '../approvals/open-hook.js';
import type { Permits } from '../approvals/permit.js';
import type { Need } from '../metering/metering.js';
import type { Environment, ProviderName } from '../metering/providers.js';
import type { Transcripts } from './copy-thread.js';
import type { Fields } from './fields.js';

/** Whose login it uses: a key that Baton holds, or its own, which lies in this folder. */
export type Login = { mode: 'key' } | { mode: 'own'; folder: string };

/** One turn of a command-line agent. */
export type Turn = {
  spec: CliSpec;
  program: string;
  prompt: string;
  /** Of its answer, as a schema; null where it is only told in words. */
  form: object | null;
  /** The conversation to go on with, or undefined for a new one. */
  thread: string | undefined;
  login: Login;
  /** Where its provider is for it, and what it is to show there. */
  way: { baseUrl: string; token: string };
  /** A folder that stays: for what it keeps of its conversations. */
  state: string;
  /** Where it asks before it does something. */
  hook: Pick<Hook, 'url' | 'token'> | undefined;
  /** What a person said to what it had asked. */
  verdict: Verdict | undefined;
  /** Some of what it does may have to be asked for. */
  asks: boolean;
  /** A sandbox of ours holds it, so that its own would only be in the way. */
  held: boolean;
};

export type Invocation = {
  argv: readonly string[];
  env: Readonly<Record<string, string>>;
  stdin: string;
  /** Known before it says so. */
  thread?: string;
};

/** What came of a turn, as far as the program has said it. */
export type Said = {
  thread: string | undefined;
  /** The text of its last word; undefined when it did not come to an end. */
  answer: string | undefined;
  failure: { kind: FailureKind; reason: string } | undefined;
  /** It ended because it has to wait for a person. */
  waits: boolean;
  /** For what, when it said so here and not by its hook. */
  wanted?: Wanted | undefined;
  /** The command that it runs now. */
  running?: string | undefined;
};

/** Speaks to a program that is spoken with, not only to. `stop` ends it with all it started. */
export type Voice = { send(message: object): void; end(): void; stop(): void };

/** Reads what a program prints, event by event. */
export type EventReader = {
  /** Lines for the live log. */
  read(event: Readonly<Record<string, unknown>>): string[];
  said(): Said;
  /** Only of a program that is spoken with. */
  begin?(voice: Voice): void;
};

/** How one command-line agent is spoken to. */
export type Dialect = {
  name: 'codex' | 'claude';
  provider: ProviderName;
  /** Older ones speak differently. */
  oldest: readonly [major: number, minor: number, patch: number];
  install: string;
  /** How a person logs in. */
  logIn: string;
  /** Where it keeps its own login, and the service that login is for; undefined when there is none. */
  ownLogin(environment: Environment, home: string): { folder: string; baseUrl: string } | undefined;
  invoke(turn: Turn): Invocation;
  reader(turn: Turn, permits: Permits): EventReader;
  /** How it is answered when it asks before it does something; undefined when it cannot. */
  answer?(event: Fields, permits: Permits): Promise<{ reply: object; deferred?: Wanted }>;
  transcripts: Transcripts;
  /** Where it goes by itself, whatever it was told: nobody is asked for these. */
  ownHosts: RegExp;
  /** What it says when it does not know a conversation any more. */
  threadLost: RegExp;
};

/** Where it keeps what it knows. */
export function homeOf({ login, state }: Pick<Turn, 'login' | 'state'>): string {
  return login.mode === 'own' ? login.folder : state;
}

export function needOf({ provider, name }: Dialect, login: Login & { baseUrl?: string }, spec: CliSpec): Need {
  if (login.mode === 'key') return { provider, baseUrl: spec.baseUrl };
  return { provider, own: { login: name, baseUrl: spec.baseUrl ?? login.baseUrl ?? '' } };
}
