export type Stopped = 'interrupted' | 'unread';

/**
 * For what would go on for ever: Ctrl-C and SIGTERM end it, and so does a reader that went away, which shows at the next line
 * that is printed for it.
 */
export function untilStopped(): { signal: AbortSignal; why(): Stopped | undefined; forget(): void } {
  const stop = new AbortController();
  let why: Stopped | undefined;
  const end = (reason: Stopped): void => {
    why ??= reason;
    stop.abort();
  };
  const onInterrupt = (): void => end('interrupted');
  const onUnread = (): void => end('unread');
  process.on('SIGINT', onInterrupt);
  process.on('SIGTERM', onInterrupt);
  process.stdout.on('error', onUnread);
  process.stdout.on('close', onUnread);
  return {
    signal: stop.signal,
    why: () => why,
    forget() {
      process.off('SIGINT', onInterrupt);
      process.off('SIGTERM', onInterrupt);
      process.stdout.off('error', onUnread);
      process.stdout.off('close', onUnread);
    },
  };
}
