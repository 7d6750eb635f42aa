import type { Socket } from 'node:net';

/** The text before the first `end`; what follows it stays in the socket. Rejects when it is too long or too late. */
export function readHead(
  socket: Socket,
  end: string,
  { bytesMax, msMax }: { bytesMax: number; msMax: number },
): Promise<string> {
  return new Promise((resolve, reject) => {
    let bytes = Buffer.alloc(0);
    const finish = (settle: () => void): void => {
      clearTimeout(timer);
      socket.off('readable', read).off('close', closed).off('end', closed);
      settle();
    };
    const fail = (why: string): void => finish(() => reject(new Error(why)));
    const closed = (): void => fail('it ended before it said what it wants');
    const timer = setTimeout(() => fail('it did not say in time what it wants'), msMax);
    const read = (): void => {
      for (let chunk = socket.read(); chunk !== null; chunk = socket.read()) {
        bytes = Buffer.concat([bytes, chunk]);
        const at = bytes.indexOf(end);
        if (at < 0 && bytes.length <= bytesMax) continue;
        if (at < 0 || at > bytesMax) fail('it said too much');
        else take(at);
        return;
      }
    };
    const take = (at: number): void => {
      const rest = bytes.subarray(at + end.length);
      if (rest.length > 0) socket.unshift(rest);
      finish(() => resolve(bytes.subarray(0, at).toString('latin1')));
    };
    socket.on('readable', read).once('close', closed).once('end', closed);
    read();
  });
}
