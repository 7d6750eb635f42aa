// The server in a process that says how much it holds after everything that can go has gone. Arguments: bundle, home.
import process from 'node:process';

const [bundle, home] = process.argv.slice(2);
const baton = await import(bundle);
await baton.ensureHome(home);
const localToken = await baton.localToken(home);
const how = { env: { PATH: process.env.PATH }, cwd: home, writer: 'thread', drives: true, claimsAny: true };
const opened = await baton.openBaton({ home, ...how });
const options = { host: '127.0.0.1', port: 0, version: '0', env: {}, logLevel: 'info', writeLog() {} };
const { url } = await baton.listen(opened, { ...options, localToken, sessionKeeper: baton.sessionFile(home) });
process.send({ url, token: localToken });
process.on('message', () => {
  globalThis.gc();
  globalThis.gc();
  process.send(process.memoryUsage().heapUsed / 1_024);
});
