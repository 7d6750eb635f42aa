import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { agentEnvironment } from '../../agents/process/agent-environment.js';
import { BYTES_MAX } from '../../contracts/shared/read-json.js';
import type { Clock, Held } from '../../engine/ports.js';
import { findProgram } from '../../sandbox/find-program.js';
import type { Gate } from '../../sandbox/process-rows.js';
import { fetchSafely } from '../../tools/registered/fetch-safely.js';
import { GatedTransport } from '../../tools/registered/gated-transport.js';
import { exitFailure } from '../../tools/registered/how-it-ended.js';
import { sentHeaders } from '../../tools/registered/http-tool.js';
import type { ServerSpec } from './server-spec.js';

const START_MS_MAX = 30_000;
const PAGES_MAX = 20;
const TOOLS_MAX = 200;
/** Ours ends it before: the protocol's own time-outs would not name the server. */
const NEVER_MS = 2 ** 31 - 1;
/** Where there is no folder to begin in: a server belongs to no workspace. */
const NOWHERE = '/';

export type ServerTool = {
  server: string;
  tool: string;
  description: string;
  parameters: object;
  /** As the server says. */
  onlyReads: boolean;
};
export type ToolUse = { tool: string; given: Readonly<Record<string, unknown>>; msMax: number };
export type ToolAnswer = { content: readonly object[]; structuredContent?: object | undefined; isError: boolean };

export type ServerSurroundings = {
  gate: Gate;
  clock: Clock;
  environment: Readonly<Record<string, string | undefined>>;
  /** How long one use may take. */
  callMsMax: number;
};

/** A server of the Model Context Protocol that was started for one session, and is used until it is closed. */
export class McpConnection {
  readonly name: string;
  private readonly client: Client;
  private readonly transport: Transport;
  private readonly around: ServerSurroundings;
  private readonly ender: AbortController;

  private constructor(name: string, of: Pick<Opening, 'client' | 'transport' | 'around' | 'ender'>) {
    this.name = name;
    this.client = of.client;
    this.transport = of.transport;
    this.around = of.around;
    this.ender = of.ender;
  }

  /** Rejects with words that say why it could not be started. `ender` ends it, also while it starts. */
  static async open(
    spec: ServerSpec,
    held: Held,
    around: ServerSurroundings,
    { onEnded, ender }: { onEnded: () => void; ender: AbortController },
  ): Promise<McpConnection> {
    const transport = await transportOf(spec, held, around, ender.signal);
    const mcp = await import('@modelcontextprotocol/sdk/client/index.js');
    const client = new mcp.Client({ name: 'baton', version: '1' });
    client.onclose = onEnded;
    const connection = new McpConnection(spec.name, { client, transport, around, ender });
    try {
      await connection.inTime(START_MS_MAX, 'did not start', (signal) =>
        client.connect(transport, { signal, timeout: NEVER_MS }),
      );
      return connection;
    } catch (problem) {
      await connection.close();
      throw problem;
    }
  }

  async tools(): Promise<readonly ServerTool[]> {
    const { ListToolsResultSchema } = await import('@modelcontextprotocol/sdk/types.js');
    return this.inTime(START_MS_MAX, 'did not name its tools', async (signal) => {
      const found: ServerTool[] = [];
      let cursor: string | undefined;
      for (let page = 0; page < PAGES_MAX && found.length < TOOLS_MAX; page += 1) {
        const list = { method: 'tools/list' as const, params: cursor === undefined ? {} : { cursor } };
        const answer = await this.client.request(list, ListToolsResultSchema, { signal, timeout: NEVER_MS });
        for (const { name: tool, description = '', inputSchema, annotations } of answer.tools) {
          const onlyReads = annotations?.readOnlyHint === true;
          found.push({ server: this.name, tool, description, parameters: inputSchema, onlyReads });
        }
        cursor = answer.nextCursor;
        if (cursor === undefined) break;
      }
      return found.slice(0, TOOLS_MAX);
    });
  }

  async call({ tool, given, msMax }: ToolUse, stop: AbortSignal): Promise<ToolAnswer> {
    const { CallToolResultSchema } = await import('@modelcontextprotocol/sdk/types.js');
    const request = { method: 'tools/call' as const, params: { name: tool, arguments: { ...given } } };
    const { content, structuredContent, isError } = await this.inTime(
      Math.min(this.around.callMsMax, msMax),
      `did not answer ${tool}`,
      (signal) => this.client.request(request, CallToolResultSchema, { signal, timeout: NEVER_MS }),
      stop,
    );
    return { content, structuredContent, isError: isError === true };
  }

  /** Ends the process with everything it has started. Never rejects. */
  async close(): Promise<void> {
    this.client.onclose = () => {};
    this.ender.abort();
    await this.client.close().catch(() => {});
    await this.transport.close().catch(() => {});
  }

  private async inTime<T>(
    msMax: number,
    what: string,
    ask: (signal: AbortSignal) => Promise<T>,
    stop?: AbortSignal,
  ): Promise<T> {
    const late = new AbortController();
    const forget = this.around.clock.after(msMax, () => late.abort());
    try {
      return await ask(AbortSignal.any([late.signal, this.ender.signal, ...(stop ? [stop] : [])]));
    } catch (problem) {
      throw new Error(
        `the server ${this.name} ${late.signal.aborted ? `${what} within ${msMax} ms` : this.why(problem)}`,
      );
    } finally {
      forget();
    }
  }

  private why(problem: unknown): string {
    const end = this.transport instanceof GatedTransport ? this.transport.ended : undefined;
    const failed = end && exitFailure('it', end.exitCode, end.stderr);
    if (failed) return `failed: ${failed.message}`;
    return `failed: ${problem instanceof Error ? problem.message : String(problem)}`;
  }
}

type Opening = { client: Client; transport: Transport; around: ServerSurroundings; ender: AbortController };

async function transportOf(
  { name, at }: ServerSpec,
  held: Held,
  { gate, clock, environment }: ServerSurroundings,
  signal: AbortSignal,
): Promise<Transport> {
  if ('url' in at) {
    const { accept: _, 'content-type': __, ...headers } = sentHeaders({ name, ...at }, { ...environment });
    const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/sdk/client/streamableHttp.js');
    const fetch = fetchSafely({ name, ...at });
    // Its types do not know of optional fields that may be absent but not undefined.
    return new StreamableHTTPClientTransport(at.url, { fetch, requestInit: { headers } }) as Transport;
  }
  const [word, ...args] = at.argv;
  const found = findProgram(word, { cwd: NOWHERE, PATH: environment.PATH });
  if ('reason' in found) throw new Error(`the server ${name} could not be started: ${found.reason}`);
  const { ReadBuffer, serializeMessage } = await import('@modelcontextprotocol/sdk/shared/stdio.js');
  return new GatedTransport(
    {
      ...{ name, gate, clock, ...held, handoff: `mcp-${name}`, attempt: 1, argv: [found.file, ...args], cwd: NOWHERE },
      ...{ env: agentEnvironment(environment, at.env), signal },
    },
    { buffer: new ReadBuffer({ maxBufferSize: BYTES_MAX }), line: serializeMessage },
  );
}
