import net from 'node:net';
import { onTestFinished } from 'vitest';

/** Stands between a client and a server, and can break the wire: at once, or when the next answer is due. */
export class BadWire {
  /** How many answers are still to be lost, after the server has done what was asked. */
  losing = 0;
  /** Connections are taken, and nothing comes through. */
  silent = false;
  readonly lost: string[] = [];
  private readonly server: net.Server;
  private readonly open = new Set<net.Socket>();

  constructor(target: () => number) {
    this.server = net.createServer((client) => {
      this.open.add(client);
      const server = net.connect(target(), '127.0.0.1');
      let asked = '';
      client.on('data', (bytes) => {
        asked = bytes.toString('latin1').split('\r\n')[0] ?? '';
        if (!this.silent) server.write(bytes);
      });
      server.on('data', (bytes) => {
        if (this.losing > 0 && asked.startsWith('POST')) {
          this.losing -= 1;
          this.lost.push(asked);
          client.destroy();
        } else if (!this.silent) client.write(bytes);
      });
      for (const [one, other] of [
        [client, server],
        [server, client],
      ] as const) {
        one.on('error', () => {});
        one.on('close', () => other.destroy());
      }
      client.on('close', () => this.open.delete(client));
    });
  }

  async listen(): Promise<number> {
    onTestFinished(() => this.close());
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return (this.server.address() as net.AddressInfo).port;
  }

  cut(): void {
    for (const client of this.open) client.destroy();
  }

  private close(): Promise<void> {
    this.cut();
    return new Promise((resolve) => this.server.close(() => resolve()));
  }
}

/** Asks through the wire, in the name of the server behind it: it answers to no other name. */
export function through(port: number, own: string): typeof fetch {
  const host = new URL(own).host;
  return async (input, init = {}) => {
    const { request } = await import('node:http');
    const { pathname, search } = new URL(String(input));
    return new Promise((resolve, reject) => {
      const { method = 'GET', headers = {}, body, signal } = init;
      const asking = request(
        {
          ...{ port, host: '127.0.0.1', path: pathname + search, method, agent: false },
          headers: { ...(headers as Record<string, string>), host },
          ...(signal && { signal }),
        },
        (answer) => {
          const stream = new ReadableStream<Uint8Array>({
            start(controller) {
              answer.on('data', (bytes: Buffer) => controller.enqueue(new Uint8Array(bytes)));
              answer.on('end', () => controller.close());
              answer.on('error', (failure) => controller.error(failure));
            },
          });
          resolve(new Response(stream, { status: answer.statusCode ?? 500 }));
        },
      );
      asking.on('error', reject);
      asking.end(body as string | undefined);
    });
  };
}
