import path from 'node:path';
import type { AcpSpec } from '../agent-spec.js';
import type { Access } from '../metering/metering.js';
import type { Environment, ProviderName } from '../metering/providers.js';
import { prepareGemini } from './gemini.js';
import { prepareOpencode } from './opencode.js';

export type Preparing = {
  spec: AcpSpec;
  ways: Access['ways'];
  /** A folder that stays: for what it keeps of its conversations. */
  state: string;
  workspace: string;
  /** It is to ask before it does what might leave its workspace, or what a rule is about. */
  asks: boolean;
  environment: Environment;
};
/** What it is started with. */
export type Prepared = { env: Readonly<Record<string, string>>; writable: readonly string[] };

/** An agent that is known by the name of its program: what it needs beyond the protocol. */
type KnownAcp = {
  install: string;
  /** It is given a token for each of these that there is a key for. */
  providers: readonly ProviderName[];
  /** Variables it is given as they are. */
  env: readonly string[];
  /** A copy of a conversation works where the original did, whatever it is told. */
  staysInFolder?: true;
  prepare(at: Preparing): Prepared | { problem: string };
};

const KNOWN: ReadonlyMap<string, KnownAcp> = new Map<string, KnownAcp>([
  [
    'opencode',
    {
      install: 'npm i -g opencode-ai',
      providers: ['openai', 'anthropic'],
      env: [],
      staysInFolder: true,
      prepare: prepareOpencode,
    },
  ],
  [
    'gemini',
    {
      install: 'npm i -g @google/gemini-cli',
      providers: [],
      env: ['GEMINI_API_KEY'],
      prepare: prepareGemini,
    },
  ],
]);

export function knownAcp({ argv: [program] }: AcpSpec): KnownAcp | undefined {
  return KNOWN.get(path.basename(program));
}
