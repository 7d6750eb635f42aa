import { pino } from 'pino';
import type { Ports } from '../../engine/ports.js';
import type { Scrub } from '../../engine/scrub.js';

export type LogLevel = 'error' | 'warn' | 'info' | 'debug' | 'silent';

/** What the server has to say of itself. Names of fields are those that collectors of logs know. */
export type ServerLog = {
  request(fields: RequestFields): void;
  /** Something failed that should not have. */
  problem(problem: unknown, fields?: { req_id?: string }): void;
  /** What the engine says, and what happens to the server as a whole. */
  note: Ports['log'];
};

/** No bodies, no headers, no query: what is not in here cannot leak. */
export type RequestFields = {
  req_id: string;
  method: string;
  route: string;
  status: number;
  ms: number;
  who: string | null;
};

const TURNED_AWAY = new Set([401, 403, 417, 421, 429]);

/** One JSON object a line. Every line goes through the scrubber as a whole, whoever has written it. */
export function createServerLog(options: { level: LogLevel; scrub: Scrub; write(line: string): void }): ServerLog {
  const { level, scrub, write } = options;
  const log = pino(
    { level, base: { pid: process.pid }, timestamp: pino.stdTimeFunctions.isoTime },
    { write: (line: string) => write(`${scrub.json(JSON.parse(line)).text}\n`) },
  );
  return {
    request(fields) {
      const level = fields.status >= 500 ? 'error' : TURNED_AWAY.has(fields.status) ? 'warn' : 'info';
      log[level](fields, 'request');
    },
    problem: (problem, fields = {}) =>
      log.error({ ...fields, err: problem instanceof Error ? problem : new Error(String(problem)) }, 'problem'),
    note: (level, message, fields = {}) => log[level](fields, message),
  };
}
