import { BatonError, type ErrorObject, isErrorCode } from '../contracts/shared/errors.js';

export type WireOptions = {
  /** Where the server is, such as `http://127.0.0.1:4770`. */
  url: string;
  /** Left out in a browser that has logged in. */
  token?: string;
  /** Sent with every request; asked for each time. */
  headers?(): Readonly<Record<string, string>>;
  fetch?: typeof fetch;
};

type Query = Readonly<Record<string, string | number | undefined>>;
/** `again`: sending it once more with the same key is the same act, so an answer that was lost is asked for again. */
type Posting = { key?: string; again?: boolean; signal?: AbortSignal };

const TRIES_MAX = 4;
const WAIT_MS = 200;

/** One server, and how to talk with it. What it refuses is thrown as the BatonError it sent. */
export class Wire {
  private readonly options: WireOptions;

  constructor(options: WireOptions) {
    this.options = options;
  }

  get<Said>(path: string, query: Query = {}, signal?: AbortSignal): Promise<Said> {
    return this.repeated(() => this.send<Said>('GET', withQuery(path, query), { signal }), TRIES_MAX, signal);
  }

  /** Every act has a key of its own, so that no answer is unknown and not failed: the same key gives the first answer. */
  post<Said>(path: string, body: unknown, { key = newKey(), again = true, signal }: Posting = {}): Promise<Said> {
    const headers = { 'idempotency-key': key };
    const send = () => this.send<Said>('POST', path, { signal, headers, body });
    return this.repeated(send, again ? TRIES_MAX : 1, signal, key);
  }

  delete<Said>(path: string): Promise<Said> {
    return this.repeated(() => this.send<Said>('DELETE', path, {}), 1);
  }

  /** The bare answer, for streams. */
  async open(path: string, query: Query, headers: Readonly<Record<string, string>>, signal: AbortSignal) {
    const response = await this.fetched(withQuery(path, query), { headers, signal });
    if (!response.ok) throw await refusalIn(response);
    return response;
  }

  private async send<Said>(method: string, path: string, { signal, headers, body }: Sending): Promise<Said> {
    const response = await this.fetched(path, {
      method,
      headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    });
    if (!response.ok) throw await refusalIn(response);
    return (await response.json()) as Said;
  }

  private fetched(path: string, init: RequestInit): Promise<Response> {
    const { url, token, headers, fetch: ask = fetch } = this.options;
    const shown = { ...(token !== undefined && { authorization: `Bearer ${token}` }), ...headers?.() };
    const given = init.headers as Record<string, string> | undefined;
    return ask(`${url}${path}`, { ...init, headers: { accept: 'application/json', ...shown, ...given } });
  }

  private async repeated<Said>(
    send: () => Promise<Said>,
    triesMax: number,
    signal?: AbortSignal,
    key?: string,
  ): Promise<Said> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await send();
      } catch (failure) {
        if (signal?.aborted) throw failure;
        if (!mayPass(failure)) throw failure;
        if (tries >= triesMax) throw failure instanceof BatonError ? failure : unanswered(failure, key);
        await pause(WAIT_MS * 2 ** (tries - 1));
      }
    }
  }
}

type Sending = {
  signal?: AbortSignal | undefined;
  headers?: Readonly<Record<string, string>>;
  body?: unknown;
};

/** Nothing was begun, or nobody knows whether it was. A refusal that would be the same again is none of these. */
function mayPass(failure: unknown): boolean {
  if (!(failure instanceof BatonError)) return true;
  return ['RATE_LIMITED', 'ENGINE_STOPPED', 'STORE_BUSY', 'SERVER_UNREACHABLE'].includes(failure.code);
}

function unanswered(failure: unknown, key: string | undefined): BatonError {
  return new BatonError('SERVER_UNREACHABLE', `the server did not answer: ${whyIn(failure)}`, { ...(key && { key }) });
}

/** `fetch failed` alone says nothing: what lies behind it does. */
function whyIn(failure: unknown): string {
  if (!(failure instanceof Error)) return String(failure);
  return failure.cause instanceof Error && failure.cause.message !== '' ? failure.cause.message : failure.message;
}

/** Whatever stands between us and the server may answer in its place, and then not in its form. */
async function refusalIn(response: Response): Promise<BatonError> {
  const text = await response.text();
  try {
    const { code, reason, details, hint } = JSON.parse(text) as ErrorObject;
    // What a request takes is another thing than what was typed or called here.
    if (isErrorCode(code)) return new BatonError(code, reason, details, code === 'USAGE' ? undefined : hint);
  } catch {
    // Not of Baton's form.
  }
  const code = response.status >= 500 ? 'SERVER_UNREACHABLE' : 'USAGE';
  return new BatonError(code, `the answer was ${response.status}, and not Baton's`, { status: response.status });
}

function withQuery(path: string, query: Query): string {
  const said = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) said.set(name, String(value));
  return said.size === 0 ? path : `${path}?${said}`;
}

function newKey(): string {
  return crypto.randomUUID();
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms * (0.75 + Math.random() / 2));
  });
}
