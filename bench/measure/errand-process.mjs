// A worker process for the recovery row. Arguments: bundle, home, and what to do:
//   leave N    submits N errands whose second step is never answered, says so, and waits to be killed
//   resume N   says when its first step was asked, answers everything, ends when N errands were asked to its end
const startedMs = performance.timeOrigin;
const [bundle, home, task, count] = process.argv.slice(2);
const { STEPS, startEngine, submit } = await import('./errands.mjs');
const baton = await import(bundle);

if (task === 'leave') await leave(Number(count));
else await resume(Number(count));

async function leave(errands) {
  let hanging = 0;
  const ask = (_run, key) => {
    if (key === 'ask-1') return 'done';
    hanging += 1;
    if (hanging === errands) process.send('in flight');
    return new Promise(() => {});
  };
  const running = await startEngine(baton, home, { ask });
  await Promise.all(Array.from({ length: errands }, () => submit(running, baton)));
}

/** Every errand had answered one step and lost one. */
async function resume(errands) {
  let asked = 0;
  let report;
  const ask = async () => {
    asked += 1;
    report ??= { startedMs, loadedMs, firstMs: performance.timeOrigin + performance.now() };
    if (asked === errands * (STEPS - 1)) setTimeout(end, 50);
    return 'done';
  };
  const loadedMs = performance.timeOrigin + performance.now();
  const running = await startEngine(baton, home, { ask });

  async function end() {
    await running.engine.stop(1000);
    await running.store.close();
    process.send(report);
    process.disconnect();
  }
}
