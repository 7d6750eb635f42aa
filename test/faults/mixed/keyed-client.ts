import { pause } from '../stage/waiting.js';

type Server = { url: string };
type Answer = { status: number; body: unknown };

const AGAIN_MS = 50;
const TRIES_MAX = 2_000;
/** Also what was acknowledged is sent once more now and then, as whoever does not trust a network does. */
const ONCE_MORE = 0.3;

/** Sends commands with a key, the same key again and again until an answer has come. */
export class KeyedClient {
  acknowledged = 0;
  repeated = 0;
  readonly problems: string[] = [];
  private readonly server: Server;
  private readonly token: () => Promise<string>;
  private readonly chance: { chance(probability: number): boolean };

  constructor(server: Server, token: () => Promise<string>, chance: { chance(probability: number): boolean }) {
    this.server = server;
    this.token = token;
    this.chance = chance;
  }

  /** What was refused comes back as its error. */
  async send(path: string, body: object, key: string): Promise<Answer> {
    const answer = await this.until('POST', path, body, key);
    this.acknowledged += 1;
    if (this.chance.chance(ONCE_MORE)) {
      this.repeated += 1;
      await this.until('POST', path, body, key);
    }
    return answer;
  }

  async read(path: string): Promise<Answer> {
    return this.until('GET', path);
  }

  private async until(method: string, path: string, body?: object, key?: string): Promise<Answer> {
    for (let tries = 1; tries <= TRIES_MAX; tries += 1) {
      const answer = await this.once(method, path, body, key);
      if (answer && answer.status < 500) return answer;
      if (answer) this.problems.push(`${method} ${path}: ${JSON.stringify(answer.body).slice(0, 300)}`);
      if (tries === 1 && key !== undefined) this.repeated += 1;
      await pause(AGAIN_MS);
    }
    throw new Error(`${method} ${path} was never answered`);
  }

  /** Undefined when nobody is there, or died over it. */
  private async once(method: string, path: string, body?: object, key?: string): Promise<Answer | undefined> {
    const { url } = this.server;
    if (url === '') return undefined;
    const headers = {
      authorization: `Bearer ${await this.token()}`,
      ...(body && { 'content-type': 'application/json' }),
      ...(key !== undefined && { 'idempotency-key': key }),
    };
    try {
      const response = await fetch(`${url}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
      return { status: response.status, body: await response.json() };
    } catch {
      return undefined;
    }
  }
}
