import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chooseStep, faultOf, readConversation, type WireName } from './conversation.js';
import type { Fault, ModelScenario, Step } from './model-scenario.js';
import { billOf, type TokenCount, tokensIn } from './scripted-tokens.js';
import { sendAnswer } from './send-answer.js';
import { ServedCount, type ServedRequest } from './served-request.js';
import { chatWire } from './wires/chat.js';
import { messagesWire } from './wires/messages.js';
import { responsesWire } from './wires/responses.js';
import { type Answer, type ScriptedWire, seenIn } from './wires/scripted-wire.js';

export type ModelServer = {
  /** Without `/v1`. */
  url: string;
  /** Every request so far, in the order in which they came. */
  served(): readonly ServedRequest[];
  close(): Promise<void>;
};

export type ModelServerOptions = {
  /** 0 takes a free one. */
  port?: number;
  /** Requests remembered for `served`; the oldest are forgotten first. */
  servedMax?: number;
};

const WIRES: Record<WireName, ScriptedWire> = { responses: responsesWire, chat: chatWire, messages: messagesWire };
const PATHS: Readonly<Record<string, WireName>> = {
  '/v1/responses': 'responses',
  '/v1/chat/completions': 'chat',
  '/v1/messages': 'messages',
};
const BODY_BYTES_MAX = 64 * 1024 * 1024;
const SERVED_MAX = 10_000;

/** A model on loopback that says what its scenario says. It remembers no conversation, so any number may go on at once. */
export async function startModelServer(
  scenario: ModelScenario,
  { port = 0, servedMax = SERVED_MAX }: ModelServerOptions = {},
): Promise<ModelServer> {
  const served: ServedRequest[] = [];
  const closing = new AbortController();
  const server = createServer((request, response) => {
    void answer(scenario, request, response, closing.signal, (seen) => {
      served.push(seen);
      if (served.length > servedMax) served.shift();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    served: () => served,
    close: () => {
      closing.abort();
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

async function answer(
  scenario: ModelScenario,
  request: IncomingMessage,
  response: ServerResponse,
  closing: AbortSignal,
  remember: (seen: ServedRequest) => void,
): Promise<void> {
  const gone = new AbortController();
  response.on('close', () => gone.abort());
  try {
    const body = await readBody(request);
    if (!body)
      return plain(response, 413, { error: { message: 'the body is too large', type: 'invalid_request_error' } });
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const id = `req_${randomBytes(12).toString('hex')}`;
    response.setHeader('x-request-id', id);
    response.setHeader('request-id', id);
    const seen = requestSeen(id, PATHS[pathname] ?? null, request, body);
    remember(seen);
    const left = AbortSignal.any([gone.signal, closing]);
    await route(scenario, pathname, { seen, body, request, response, gone: left }).finally(() => {
      seen.status = response.statusCode;
    });
  } catch (problem) {
    // The client left, or the server closes: there is nobody to tell.
    if (!gone.signal.aborted && !closing.aborted) response.destroy(problem as Error);
  }
}

type Routed = {
  seen: ServedRequest;
  body: Buffer;
  request: IncomingMessage;
  response: ServerResponse;
  gone: AbortSignal;
};

async function route(scenario: ModelScenario, path: string, routed: Routed): Promise<void> {
  const { body, request, response, seen } = routed;
  if (path === '/v1/models' && request.method === 'GET') {
    const data = (scenario.models ?? ['scripted']).map((id) => ({ id, object: 'model', type: 'model', created: 0 }));
    return plain(response, 200, { object: 'list', data, has_more: false });
  }
  if (path === '/v1/messages/count_tokens') return plain(response, 200, { input_tokens: tokensIn(body.length) });
  if (seen.wire === null || request.method !== 'POST') {
    return plain(response, 404, responsesWire.errorBody('not_found_error', `there is no ${request.method} ${path}`));
  }
  const json = parsed(body);
  if (!json) return plain(response, 400, WIRES[seen.wire].errorBody('invalid_request_error', 'the body is no JSON'));
  await play(scenario, json, seen.wire, routed);
}

async function play(scenario: ModelScenario, json: Record<string, unknown>, name: WireName, routed: Routed) {
  const { seen, request, response, gone } = routed;
  const wire = WIRES[name];
  const asked = readConversation(name, json);
  const { stream, model, replies, prompts, previousResponseId } = asked;
  Object.assign(seen, { stream, model, replies, prompts, previousResponseId });
  const step = chooseStep(scenario, asked);
  if ('problem' in step) return plain(response, 400, wire.errorBody('invalid_request_error', step.problem));
  const fault = faultOf(step, request.headers);
  if (fault?.kind === 'redirect') return void response.writeHead(307, { location: fault.location }).end();
  if (fault?.kind === 'status') {
    const wait = fault.retry_after_s === undefined ? {} : { 'retry-after': String(fault.retry_after_s) };
    const type = fault.type ?? 'scripted_error';
    return plain(response, fault.status, wire.errorBody(type, fault.message ?? 'scripted'), {
      ...wait,
      ...fault.headers,
    });
  }
  const report = reportOf(step, fault, seen.requestBytes);
  const told: Answer = { unique: seen.id.slice(4), asked, step, report, ...(fault && { fault: fault.kind }) };
  const count = new ServedCount(seen, told, fault?.kind !== 'wrong-usage');
  count.sent({});
  await sendAnswer({ wire, answer: told, fault, count, request: seen, response, gone });
}

function reportOf(step: Step, fault: Fault | undefined, requestBytes: number): Answer['report'] {
  if (fault?.kind === 'no-usage') return null;
  if (fault?.kind === 'wrong-usage') return fault.report;
  const { text, reasoning } = seenIn(step);
  const reasoningBytes = Buffer.byteLength(reasoning);
  return billOf(step.usage, {
    input: tokensIn(requestBytes),
    cached_input: 0,
    cache_write: 0,
    output: tokensIn(Buffer.byteLength(text) + reasoningBytes),
    reasoning: tokensIn(reasoningBytes),
  });
}

const NOTHING: TokenCount = { input: 0, cached_input: 0, cache_write: 0, output: 0, reasoning: 0 };

function requestSeen(id: string, wire: WireName | null, request: IncomingMessage, body: Buffer): ServedRequest {
  const { headers } = request;
  const seen = { id, wire, stream: false, model: '', headers, requestBytes: body.length, status: 0, complete: false };
  return { ...seen, replies: 0, prompts: [], previousResponseId: null, tokens: NOTHING };
}

function plain(response: ServerResponse, status: number, body: object, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

async function readBody(request: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes > BODY_BYTES_MAX) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function parsed(body: Buffer): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(body.toString());
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
