/** `end`: nothing more comes of this attempt. */
export type LogPiece = { run: string; handoff: string; attempt: number; text: string; end?: boolean };
export type LogListener = (piece: LogPiece) => void;

/** Of one attempt. What comes later is dropped, and said to be. */
export const LOG_BYTES_MAX = 1024 * 1024;
const DROPPED = '\n[the rest of the log is not kept]\n';

/** Passes on what an agent prints, as text that is never cut inside a character. */
export function liveLog(
  of: Omit<LogPiece, 'text' | 'end'>,
  listener: LogListener = () => {},
): { write(chunk: Buffer): void; end(): void } {
  const decoder = new TextDecoder();
  let left = LOG_BYTES_MAX;
  const say = (text: string): void => {
    if (text !== '') listener({ ...of, text });
  };
  return {
    write(chunk) {
      if (left === 0) return;
      const kept = chunk.subarray(0, left);
      left -= kept.length;
      say(decoder.decode(kept, { stream: true }));
      if (left === 0) say(DROPPED);
    },
    end: () => listener({ ...of, text: decoder.decode(), end: true }),
  };
}
