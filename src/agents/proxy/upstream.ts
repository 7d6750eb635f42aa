import { type ClientRequest, Agent as HttpAgent, request as httpRequest, type OutgoingHttpHeaders } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';

/** A provider as one login reaches it. */
export type Upstream = {
  /** Up to and with what comes before `/responses` or `/messages`, as `https://api.openai.com/v1`. */
  baseUrl: string;
  login:
    | { mode: 'key'; key: string; header: 'authorization' | 'x-api-key' }
    /** What the agent sends as its authorisation goes through untouched. */
    | { mode: 'own' };
};

/** Shorter than providers keep an idle connection, so that none is used that was just closed. */
const IDLE_CONNECTION_MS_MAX = 4_000;

/**
 * Opens requests to configured providers, and to nobody else; redirects are not followed. How many are open at once is
 * bounded for each token: what they shared, one could use up for all others.
 */
export class UpstreamConnections {
  readonly #http = new HttpAgent({ keepAlive: true, timeout: IDLE_CONNECTION_MS_MAX });
  readonly #https = new HttpsAgent({ keepAlive: true, timeout: IDLE_CONNECTION_MS_MAX });

  open(upstream: Upstream, method: string, path: string, headers: OutgoingHttpHeaders): ClientRequest {
    const { protocol, hostname, port, pathname } = new URL(upstream.baseUrl);
    const [send, agent] = protocol === 'https:' ? [httpsRequest, this.#https] : [httpRequest, this.#http];
    const request = send({
      protocol,
      hostname: hostname.replace(/^\[|\]$/g, ''),
      port,
      method,
      path: pathname.replace(/\/$/, '') + path,
      headers,
      agent,
    });
    request.setNoDelay(true);
    return request;
  }

  close(): void {
    this.#http.destroy();
    this.#https.destroy();
  }
}

/** Anything but http and https, and addresses with a password or a query, are mistakes in the configuration. */
export function upstreamProblem({ baseUrl, login }: Upstream): string | undefined {
  if (!URL.canParse(baseUrl)) return `${baseUrl} is no address`;
  const { protocol, username, password, search, hash, host } = new URL(baseUrl);
  if (protocol !== 'https:' && protocol !== 'http:') return `${host} is not reached by http or https`;
  if (username !== '' || password !== '' || search !== '' || hash !== '') return `${host} stands with more than a path`;
  if (login.mode === 'key' && !/^[\x21-\x7e]{1,4096}$/.test(login.key)) {
    return `the key for ${host} has a character that no key has, such as a space or a line break`;
  }
  return undefined;
}
