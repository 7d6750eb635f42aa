import type { AddressInfo, Server } from 'node:net';

/** Listens with any server of Node; resolves with the port that was taken. */
export function listenAt(server: Server, where: { host: string; port: number } | { path: string }): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(where, () => {
      server.off('error', reject);
      const address = server.address();
      resolve(typeof address === 'object' ? ((address as AddressInfo | null)?.port ?? 0) : 0);
    });
  });
}

export function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()));
}
