import type { TokenOrderBody } from '../../contracts/generated/types/token-order.js';
import { BatonError } from '../../contracts/shared/errors.js';
import type { KeptToken } from '../../core/access/token.js';
import { SYSTEM_KIND, SYSTEM_RUN } from '../../core/kernel/system-run.js';
import type { SystemCommand, SystemState } from '../../core/system/system-messages.js';
import { orThrow } from '../dispatch.js';
import type { Engine } from '../engine.js';
import type { Machines } from '../machines.js';
import type { Clock, EventStore, Hasher } from '../ports.js';
import { readRun } from '../read-run.js';
import type { Origin } from '../seal.js';

type Surroundings = {
  store: EventStore;
  clock: Clock;
  machines: Machines;
  engine: Engine;
  hasher: Hasher;
  /** Long and random, so that its hash needs no salt and no slowness. */
  newToken(): string;
};

/** As the contract spells it. */
export function tokenIn({ name, role, agent, expires_at }: TokenOrderBody) {
  return { name, role, agent: agent ?? null, ...(expires_at !== undefined && { expiresAt: expires_at }) };
}

/** Tokens of the server. They are kept as hashes in the run `system`, with who made and who revoked them. */
export class TokenService {
  private readonly around: Surroundings;

  constructor(around: Surroundings) {
    this.around = around;
  }

  async list(): Promise<readonly KeptToken[]> {
    const { store, machines } = this.around;
    const state = (await readRun(store, machines, SYSTEM_RUN))?.state as SystemState | undefined;
    return [...(state?.tokens.values() ?? [])];
  }

  /** Answers with the token, which nobody can be told again: so a repeat is refused. */
  async create(
    of: Pick<KeptToken, 'name' | 'role' | 'agent' | 'expiresAt'>,
    actor: string,
    key?: Origin['key'],
  ): Promise<string> {
    const { clock, hasher, newToken } = this.around;
    const token = newToken();
    const atMs = clock.nowMs();
    const kept = { ...of, sha256: hasher.sha256(token), madeAt: new Date(atMs).toISOString() };
    if ((await this.send({ type: 'AddToken', atMs, token: kept }, actor, key)) === 'accepted') return token;
    const reason = `the token ${of.name} was made and told already; revoke it and make another`;
    throw new BatonError('INVALID_TRANSITION', reason, { name: of.name });
  }

  async revoke(name: string, actor: string, key?: Origin['key']): Promise<void> {
    await this.send({ type: 'RevokeToken', atMs: this.around.clock.nowMs(), name }, actor, key);
  }

  private async send(command: SystemCommand, actor: string, key: Origin['key']): Promise<'accepted' | 'repeated'> {
    const { engine } = this.around;
    const origin = { actor, ...(key && { key }) };
    const { type } = orThrow(await engine.send(SYSTEM_RUN, command, origin, { create: SYSTEM_KIND }));
    if (type === 'fenced') throw new BatonError('INTERNAL', `a token was ${type}`);
    return type;
  }
}
