import type { Append } from '../../engine/ports.js';
import type { Connection } from './connection.js';

const OPEN = `INSERT INTO inbox (run_id, seq, key, kind, title, question, expires_at, asked)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (run_id, key) WHERE answered IS NULL
  DO UPDATE SET kind = excluded.kind, title = excluded.title, question = excluded.question, expires_at = excluded.expires_at`;
const CLOSE = 'UPDATE inbox SET answered = ? WHERE run_id = ? AND key = ? AND answered IS NULL';

/**
 * A key that is both opened and closed by one append was either open before (closed, then asked anew) or not (asked,
 * then closed at once); which of the two is seen from the table.
 */
export function writeInbox(connection: Connection, { run, expected, events, inbox }: Append): void {
  const at = events.at(-1)?.at ?? '';
  const close = (key: string): boolean => connection.run(CLOSE, at, run, key) > 0;
  const notYetOpen = inbox.close.filter((key) => !close(key));
  for (const { key, kind, title, question, expiresAtMs } of inbox.open) {
    connection.run(OPEN, run, expected + 1, key, kind, title, question, expiresAtMs ?? null, at);
  }
  for (const key of notYetOpen) close(key);
}
