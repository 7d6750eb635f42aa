import type { BodyRef } from '../core/kernel/effect.js';
import type { KnownRule } from '../core/policy/rule.js';
import type { CallEnd } from '../core/session/session-messages.js';
import type { Clock, Hasher, Ports, SealedBody } from '../engine/ports.js';
import type { ShellReader } from '../engine/rules/shell-reader.js';
import type { Scrub } from '../engine/scrub.js';
import { sealBody, sealJson } from '../engine/seal.js';
import type { LiveText } from '../engine/session/live-text.js';
import type { Gate } from '../sandbox/process-rows.js';
import type { Confined } from '../sandbox/sandbox.js';
import type { Confinements, SessionRights } from '../workspace/confinement.js';
import type { McpServers } from './mcp/mcp-servers.js';

/** What holds a command; `env` says where it finds what was put in place for it, `isWhole` that all of it is guarded. */
export type HeldCommand = {
  confined: Confined;
  env?: Readonly<Record<string, string>>;
  isWhole?: boolean;
  end(): Promise<void>;
};

/** What the calls of a session need of the machine. */
export type SessionHands = {
  body(sha256: string): Promise<Uint8Array | undefined>;
  scrub: Scrub;
  hasher: Hasher;
  clock: Clock;
  gate: Gate;
  /** Without keys of providers. */
  environment: Readonly<Record<string, string | undefined>>;
  /** Baton's own folder; null where the folder that is worked in lies inside of it and holds nothing of Baton's. */
  home: string | null;
  live: LiveText;
  confinements: Pick<Confinements, 'holding'> & {
    session(rights: SessionRights): Promise<HeldCommand | { reason: string } | undefined>;
  };
  /** Those that hold for an agent in the repository of a folder. */
  rulesFor(cwd: string, agent: string): Promise<readonly KnownRule[]>;
  shell(): Promise<ShellReader>;
  servers: McpServers;
  /** Under which commands are known, where they are part of something else that is asked. */
  marker?: { handoff: string; attempt: number };
  log: Ports['log'];
};

/** Collects what is stored together with a result. */
export class Sealed {
  readonly bodies: SealedBody[] = [];
  private readonly ports: Pick<SessionHands, 'scrub' | 'hasher'>;

  constructor(ports: Pick<SessionHands, 'scrub' | 'hasher'>) {
    this.ports = ports;
  }

  text(text: string): BodyRef {
    return this.keep(sealBody(this.ports, text));
  }

  json(value: object): BodyRef {
    return this.keep(sealJson(this.ports, value));
  }

  private keep({ ref, body }: { ref: BodyRef; body: SealedBody }): BodyRef {
    this.bodies.push(body);
    return ref;
  }
}

export type Ended = Omit<CallEnd, 'said' | 'output'> & { said: object; output: string };

export function endOf(hands: Pick<SessionHands, 'scrub' | 'hasher'>, { said, output, ...rest }: Ended) {
  const sealed = new Sealed(hands);
  const end: CallEnd = { ...rest, said: sealed.json(said), output: sealed.text(output) };
  return { result: { end }, bodies: sealed.bodies };
}

export async function readBody({ body }: Pick<SessionHands, 'body'>, { sha256 }: BodyRef): Promise<string> {
  const bytes = await body(sha256);
  if (!bytes) throw new Error(`there is no body ${sha256}`);
  return new TextDecoder().decode(bytes);
}
