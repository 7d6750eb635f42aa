import { connect, type Socket } from 'node:net';

/** What came back on a connection until it was closed or there was a whole answer. */
export type Reply = { statuses: number[]; code: string | null; text: string; closed: boolean };

export type Target = { host: string; port: number; token: string };

const ANSWER_MS_MAX = 30_000;

/** A connection on which anything can be written, whatever HTTP says. */
export class RawConnection {
  private readonly socket: Socket;
  private received = '';
  private closed = false;
  private wake = (): void => {};

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.setEncoding('latin1');
    socket.on('data', (text: string) => {
      // Of what is long only the beginning is looked at.
      if (this.received.length < 1_000_000) this.received += text;
      this.wake();
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      this.closed = true;
      this.wake();
    });
  }

  static open({ host, port }: Pick<Target, 'host' | 'port'>): Promise<RawConnection> {
    return new Promise((resolve, reject) => {
      const socket = connect(port, host, () => resolve(new RawConnection(socket)));
      socket.once('error', reject);
    });
  }

  /** False when nobody reads on the other side any more. */
  async write(text: string | Uint8Array): Promise<boolean> {
    if (this.closed || !this.socket.writable) return false;
    return new Promise((resolve) => {
      const cut = (): void => resolve(false);
      this.socket.once('close', cut);
      this.socket.write(text, (problem) => {
        this.socket.off('close', cut);
        resolve(!problem);
      });
    });
  }

  /** When so many whole answers are there, the connection is closed, or time is up. */
  async reply(answers = 1): Promise<Reply> {
    const untilMs = Date.now() + ANSWER_MS_MAX;
    while (!this.closed && statusesIn(this.received, true).length < answers && Date.now() < untilMs) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, untilMs - Date.now());
        this.wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    const { received: text, closed } = this;
    const code = /"code":"([A-Z_]+)"/.exec(text)?.[1] ?? null;
    return { statuses: statusesIn(text, false), code, text, closed };
  }

  end(): void {
    this.socket.destroy();
  }
}

function statusesIn(text: string, whole: boolean): number[] {
  const found: number[] = [];
  for (let at = 0; ; ) {
    const head = text.indexOf('\r\n\r\n', at);
    const [, status] = /^HTTP\/1\.[01] (\d{3})/.exec(text.slice(at, at + 12)) ?? [];
    if (status === undefined || head < 0) return found;
    const length = Number(/\r\ncontent-length: *(\d+)/i.exec(text.slice(at, head))?.[1] ?? 0);
    const end = head + 4 + (Number(status) === 100 ? 0 : length);
    if (whole && text.length < end) return found;
    if (Number(status) !== 100) found.push(Number(status));
    at = end;
  }
}

/** The head of a request as everybody would send it, but for what is changed. An undefined header is left out. */
export function head(
  { host, port, token }: Target,
  line: string,
  changed: Readonly<Record<string, string | undefined>> = {},
): string {
  const headers = { Host: `${host}:${port}`, Authorization: `Bearer ${token}`, ...changed };
  const lines = Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${value}`]));
  return [line, ...lines, '', ''].join('\r\n');
}
