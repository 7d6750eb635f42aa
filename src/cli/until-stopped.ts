export type Stopped = 'interrupted' | 'unread';

const EXIT_INTERRUPTED = 130;

export type Stopping = {
  signal: AbortSignal;
  why(): Stopped | undefined;
  /** For what serves others: SIGTERM is how it is meant to end, Ctrl-C is an interruption. */
  serverExit(): number;
  forget(): void;
};

/**
 * For what would go on for ever: Ctrl-C and SIGTERM end it, and so does a reader that went away, which shows at the next line
 * that is printed for it.
 */
export function untilStopped(): Stopping {
  const stop = new AbortController();
  let why: Stopped | undefined;
  let isCtrlC = false;
  const end = (reason: Stopped): void => {
    why ??= reason;
    stop.abort();
  };
  const onInterrupt = (): void => {
    isCtrlC ||= why === undefined;
    end('interrupted');
  };
  const onTerminate = (): void => end('interrupted');
  const onUnread = (): void => end('unread');
  process.on('SIGINT', onInterrupt);
  process.on('SIGTERM', onTerminate);
  process.stdout.on('error', onUnread);
  process.stdout.on('close', onUnread);
  return {
    signal: stop.signal,
    why: () => why,
    serverExit: () => (isCtrlC ? EXIT_INTERRUPTED : 0),
    forget() {
      process.off('SIGINT', onInterrupt);
      process.off('SIGTERM', onTerminate);
      process.stdout.off('error', onUnread);
      process.stdout.off('close', onUnread);
    },
  };
}
