import type { SessionServer } from '../../contracts/generated/types/config.js';
import type { Clock, Held } from '../../engine/ports.js';
import type { Gate } from '../../sandbox/process-rows.js';
import { McpConnection, type ServerTool, type ToolAnswer, type ToolUse } from './mcp-connection.js';
import { type ServerSpec, serverSpec } from './server-spec.js';

const IDLE_MS = 10 * 60_000;
const KNOWN_MS = 10 * 60_000;
/** A server that fails is not waited for at every turn. */
const FAILED_MS = 60_000;
const CALL_MS_MAX = 2 * 60_000;

type Configured = Readonly<Record<string, SessionServer>>;
type Surroundings = {
  gate: Gate;
  clock: Clock;
  environment: Readonly<Record<string, string | undefined>>;
  /** Read each time, from Baton's own folder and never from a workspace. */
  configured(): Promise<Configured>;
  callMsMax?: number;
};
type Listed = { tools: readonly ServerTool[]; atMs: number } | { reason: string; atMs: number };
type Kept = {
  opening: Promise<McpConnection>;
  config: string;
  uses: number;
  ender: AbortController;
  forget: () => void;
};

/** Tools of servers, and what keeps others from being there. */
export type OfferedTools = { tools: readonly ServerTool[]; problems: ReadonlyMap<string, string> };

/** Servers of the Model Context Protocol: one of each for a session, started when it is first needed. */
export class McpServers {
  private readonly around: Surroundings;
  private readonly kept = new Map<string, Kept>();
  private readonly listed = new Map<string, Listed>();
  private isClosed = false;

  constructor(around: Surroundings) {
    this.around = around;
  }

  /** All that are configured. A server that fails has no tools. */
  async offered(held: Held): Promise<OfferedTools> {
    const configured = Object.entries(await this.around.configured());
    const lists = await Promise.all(
      configured.map(async ([name, server]) => [name, await this.list(held, name, server)] as const),
    );
    const problems = new Map(lists.flatMap(([name, list]) => ('reason' in list ? [[name, list.reason] as const] : [])));
    return { tools: lists.flatMap(([, list]) => ('tools' in list ? list.tools : [])), problems };
  }

  /** What the user has said about a server; undefined when there is none of that name. */
  async specOf(name: string): Promise<ServerSpec | undefined> {
    const configured = await this.around.configured();
    const server = Object.hasOwn(configured, name) ? configured[name] : undefined;
    return server && serverSpec(name, server);
  }

  /** Rejects with words that say why it has not answered. */
  async call(held: Held, { server, ...use }: ToolUse & { server: string }, signal: AbortSignal): Promise<ToolAnswer> {
    const config = (await this.around.configured())[server];
    if (!config) throw new Error(`there is no server ${server} in the configuration any more`);
    return this.using(held, server, config, (connection) => connection.call(use, signal));
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await Promise.all([...this.kept.keys()].map((key) => this.end(key)));
  }

  private async list(held: Held, name: string, server: SessionServer): Promise<Listed> {
    const key = `${name} ${JSON.stringify(server)}`;
    const nowMs = this.around.clock.monotonicMs();
    const known = this.listed.get(key);
    if (known && nowMs - known.atMs < ('reason' in known ? FAILED_MS : KNOWN_MS)) return known;
    const list = await this.using(held, name, server, (connection) => connection.tools()).then(
      (tools): Listed => ({ tools, atMs: nowMs }),
      (problem: Error): Listed => ({ reason: problem.message, atMs: nowMs }),
    );
    this.listed.set(key, list);
    return list;
  }

  private async using<T>(
    held: Held,
    name: string,
    server: SessionServer,
    use: (connection: McpConnection) => Promise<T>,
  ): Promise<T> {
    const key = `${held.run} ${name}`;
    const config = JSON.stringify(server);
    if (this.kept.has(key) && this.kept.get(key)?.config !== config) await this.end(key);
    const kept = this.kept.get(key) ?? this.start(key, held, { name, server, config });
    kept.forget();
    kept.uses += 1;
    try {
      return await use(await kept.opening);
    } finally {
      kept.uses -= 1;
      // One that failed has ended already: nobody would forget its timer any more.
      const isKept = this.kept.get(key) === kept;
      if (kept.uses === 0 && isKept) kept.forget = this.around.clock.after(IDLE_MS, () => void this.end(key, kept));
    }
  }

  private start(
    key: string,
    held: Held,
    { name, server, config }: { name: string; server: SessionServer; config: string },
  ): Kept {
    if (this.isClosed) throw new Error(`the server ${name} is not started: Baton is stopping`);
    const { gate, clock, environment, callMsMax = CALL_MS_MAX } = this.around;
    const around = { gate, clock, environment, callMsMax };
    const ender = new AbortController();
    const onEnded = () => void this.end(key, kept);
    const opening = Promise.resolve().then(() =>
      McpConnection.open(serverSpec(name, server), held, around, { onEnded, ender }),
    );
    const kept: Kept = { opening, config, uses: 0, ender, forget: () => {} };
    this.kept.set(key, kept);
    opening.catch(() => void this.end(key, kept));
    return kept;
  }

  /** `which`: only while it is still this one. */
  private async end(key: string, which?: Kept): Promise<void> {
    const kept = this.kept.get(key);
    if (!kept || (which && kept !== which)) return;
    this.kept.delete(key);
    kept.forget();
    // One that still starts would be waited for.
    kept.ender.abort();
    await kept.opening.then(
      (connection) => connection.close(),
      () => {},
    );
  }
}
