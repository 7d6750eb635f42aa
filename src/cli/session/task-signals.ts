/** By Ctrl-C, or because somebody ends this process. */
export type Left = 'left' | 'terminated';

/** Ctrl-C stops the task first and leaves the second time; SIGTERM leaves at once, and the task goes on elsewhere. */
export function taskSignals(interrupt: () => void): { left: Promise<Left>; forget(): void } {
  let leave: (why: Left) => void = () => {};
  const left = new Promise<Left>((resolve) => {
    leave = resolve;
  });
  let isTold = false;
  const onInterrupt = (): void => {
    if (isTold) leave('left');
    else interrupt();
    isTold = true;
  };
  const onTerminate = (): void => leave('terminated');
  process.on('SIGINT', onInterrupt);
  process.on('SIGTERM', onTerminate);
  return {
    left,
    forget() {
      process.off('SIGINT', onInterrupt);
      process.off('SIGTERM', onTerminate);
    },
  };
}
