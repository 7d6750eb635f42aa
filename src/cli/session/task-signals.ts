/** Ctrl-C stops the task first and leaves the second time; SIGTERM leaves at once, and the task goes on elsewhere. */
export function taskSignals(interrupt: () => void): { left: Promise<'left'>; forget(): void } {
  let leave: (why: 'left') => void = () => {};
  const left = new Promise<'left'>((resolve) => {
    leave = resolve;
  });
  let isTold = false;
  const onInterrupt = (): void => {
    if (isTold) leave('left');
    else interrupt();
    isTold = true;
  };
  const onTerminate = (): void => leave('left');
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
