import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { BYTES_MAX } from '../../contracts/shared/read-json.js';
import type { Machine } from '../machine.js';
import { type Around, type Done, ended, failure, type Params, stop, type Tool, ToolProblem } from '../tool.js';
import { fetchSafely } from './fetch-safely.js';
import { GatedTransport } from './gated-transport.js';
import { answeredValue, exitFailure } from './how-it-ended.js';
import { refusedWith, sentHeaders } from './http-tool.js';
import { inTime } from './in-time.js';
import type { HttpTool, McpTool, Program } from './tool-spec.js';
import { withProgram } from './with-program.js';

const SAID_CHARS_MAX = 1_000;
const PAGES_MAX = 20;
/** Ours ends it before: the protocol's own time-outs would not name the tool. */
const NEVER_MS = 2 ** 31 - 1;

/** A tool of a server that speaks the Model Context Protocol. The server is started for one use, and ended after it. */
export function mcpTool(spec: McpTool, machine: Machine): Tool {
  const { name, risk, description, server } = spec;
  return {
    name,
    risk,
    description,
    run: (params, around) =>
      ended(() =>
        inTime(spec, { clock: machine.clock, signal: around.signal }, (until) => {
          if ('url' in server) return askAddress({ ...spec, ...server }, params, machine, until);
          return askProgram({ ...spec, server }, params, machine, { ...around, signal: until });
        }),
      ),
  };
}

type AtProgram = McpTool & { server: Program };

async function askProgram(spec: AtProgram, params: Params, machine: Machine, around: Around): Promise<Done> {
  const { ReadBuffer, serializeMessage } = await import('@modelcontextprotocol/sdk/shared/stdio.js');
  const { gate, clock } = machine;
  const { held, key, signal } = around;
  const { name } = spec;
  return withProgram(spec, spec.server, machine, around, async (program) => {
    const transport = new GatedTransport(
      { name, gate, clock, ...held, handoff: key, attempt: 1, ...program, signal },
      { buffer: new ReadBuffer({ maxBufferSize: BYTES_MAX }), line: serializeMessage },
    );
    const client = await newClient();
    try {
      await client.connect(transport, { signal, timeout: NEVER_MS });
      return await call(client, spec, params, signal);
    } catch (problem) {
      const { ended: end } = transport;
      const failed = end && exitFailure(name, end.exitCode, end.stderr);
      throw failed ? new ToolProblem(failed) : problem;
    } finally {
      await transport.close();
    }
  });
}

async function askAddress(
  spec: McpTool & Pick<HttpTool, 'url' | 'headerEnv' | 'allowPrivate'>,
  params: Params,
  { environment }: Machine,
  signal: AbortSignal,
): Promise<Done> {
  // What it sends and accepts the protocol says itself.
  const { accept: _, 'content-type': __, ...headers } = sentHeaders(spec, environment);
  const { StreamableHTTPClientTransport, StreamableHTTPError } = await import(
    '@modelcontextprotocol/sdk/client/streamableHttp.js'
  );
  const transport = new StreamableHTTPClientTransport(spec.url, {
    fetch: fetchSafely(spec),
    requestInit: { headers },
  });
  const client = await newClient();
  try {
    await client.connect(transport, { signal, timeout: NEVER_MS });
    const done = await call(client, spec, params, signal);
    await transport.terminateSession().catch(() => {}); // it has answered; a session that stays is its own affair
    return done;
  } catch (problem) {
    const status = problem instanceof StreamableHTTPError ? (problem.code ?? 0) : 0;
    if (problem instanceof Error && status >= 300) return refusedWith(spec.name, status, problem.message);
    throw problem;
  } finally {
    await client.close();
  }
}

async function newClient(): Promise<Client> {
  const mcp = await import('@modelcontextprotocol/sdk/client/index.js');
  return new mcp.Client({ name: 'baton', version: '1' });
}

async function call(client: Client, { name, tool }: McpTool, params: Params, signal: AbortSignal): Promise<Done> {
  const { ListToolsResultSchema, CallToolResultSchema } = await import('@modelcontextprotocol/sdk/types.js');
  const options = { signal, timeout: NEVER_MS };
  const known: string[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < PAGES_MAX && !known.includes(tool); page += 1) {
    const list = { method: 'tools/list' as const, params: cursor === undefined ? {} : { cursor } };
    const { tools, nextCursor } = await client.request(list, ListToolsResultSchema, options);
    known.push(...tools.map((one) => one.name));
    cursor = nextCursor;
    if (cursor === undefined) break;
  }
  if (!known.includes(tool)) {
    const named = known.slice(0, 20).join(', ').slice(0, SAID_CHARS_MAX);
    stop('ToolNotFound', `the server of ${name} has no tool ${tool}; it has ${named === '' ? 'none' : named}`);
  }
  const request = { method: 'tools/call' as const, params: { name: tool, arguments: { ...params } } };
  return doneOf(name, await client.request(request, CallToolResultSchema, options));
}

function doneOf(name: string, { content, structuredContent, isError = false }: CallToolResult): Done {
  const texts = content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  if (isError) {
    throw new ToolProblem(failure('ToolError', `${name} failed: ${texts.join('\n').slice(0, SAID_CHARS_MAX)}`));
  }
  const onlyTexts = texts.length === content.length;
  return { result: structuredContent ?? (onlyTexts ? answeredValue(texts.join('\n')) : content), evidence: [] };
}
