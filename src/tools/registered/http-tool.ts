import { headersOf } from '../../agents/http/http-adapter.js';
import { type Posted, postSafely } from '../../agents/http/post-safely.js';
import type { Machine } from '../machine.js';
import { type Done, ended, type Params, stop, type Tool } from '../tool.js';
import { answeredValue } from './how-it-ended.js';
import { inTime } from './in-time.js';
import type { HttpTool } from './tool-spec.js';

const BODY_CHARS_MAX = 500;

/** Posts the parameters and takes what comes back as the answer. It goes where it was told to, and nowhere else. */
export function httpTool(spec: HttpTool, machine: Machine): Tool {
  const { name, risk, description } = spec;
  return {
    name,
    risk,
    description,
    run: (params, { signal }) =>
      ended(() => inTime(spec, { clock: machine.clock, signal }, (until) => post(spec, params, machine, until))),
  };
}

async function post(spec: HttpTool, params: Params, { environment }: Machine, signal: AbortSignal): Promise<Done> {
  const { name, url, allowPrivate } = spec;
  const headers = sentHeaders(spec, environment);
  const posted = await postSafely(url, { headers, body: JSON.stringify(params), allowPrivate, signal });
  return posted ? answerOf(name, posted) : refusePrivate(name, url);
}

export function sentHeaders(
  { name, headerEnv }: Pick<HttpTool, 'name' | 'headerEnv'>,
  environment: NodeJS.ProcessEnv,
): Record<string, string> {
  const headers = headersOf({ headerEnv }, environment);
  if (!('missing' in headers)) return headers;
  return stop('ToolError', `${name} cannot be asked: ${headers.missing} is not set`, { recoverable: false });
}

export function refusePrivate(name: string, { hostname }: URL): never {
  const message = `${name} is not asked: ${hostname} is a private address; set allow_private if that is meant`;
  return stop('ToolError', message, { recoverable: false });
}

function answerOf(name: string, { status, body }: Posted): Done {
  const text = body.toString('utf8');
  if (status >= 200 && status < 300) return { result: answeredValue(text), evidence: [] };
  return refusedWith(name, status, text);
}

/** What the status of an answer says that is none. */
export function refusedWith(name: string, status: number, text: string): never {
  const details = { status };
  if (status >= 300 && status < 400) {
    return stop('ToolError', `${name} answered ${status}: nobody is sent elsewhere`, { recoverable: false, details });
  }
  const said = `${name} answered ${status} ${text.slice(0, BODY_CHARS_MAX)}`.trim();
  if (NOT_THERE.has(status)) return stop('ToolNotFound', said, { details });
  return stop('ToolError', said, { recoverable: !NOT_ALLOWED.has(status), details });
}

const NOT_THERE = new Set([404, 405, 410, 501]);
/** Who is refused now is refused the next time too. */
const NOT_ALLOWED = new Set([401, 403, 407]);
