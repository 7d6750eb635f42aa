// The console in a real browser: how long until the page of the runs shows its first row with 10,000 runs in the store,
// beside the same page on an empty store; and how much JavaScript it is.
// Not measured: other browsers, a wire that is slower than this machine's own, a second visit with a warm cache.
import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { cpus, loadavg } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { installDependencies } from '../tools/setup.mjs';
import { bundleSource, scratchFolder } from './measure/bundle.mjs';
import { readOptions } from './measure/options.mjs';
import { interleave, spread } from './measure/ratio.mjs';

const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const { rounds: ROUNDS } = readOptions(process.argv.slice(2), 5);
const RUNS = 10_000;
const GZIP_BYTES_MAX = 250_000;

const folder = scratchFolder();
const baton = await import(await bundleSource(folder, ['wiring', 'system/node-hasher', '../test/browser/seeded-jobs']));
installDependencies(path.join(ROOT, 'test/tools/browser'));
const installed = createRequire(path.join(ROOT, 'test/tools/browser/package.json'));

console.log(`${cpus().length} cores, load ${loadavg()[0].toFixed(1)}`);
size();
const [empty, full] = [await served('empty', 1), await served('full', RUNS)];
const browser = await openBrowser();
try {
  await firstPaint();
} finally {
  await browser.close();
  for (const { child } of [empty, full]) child.kill('SIGTERM');
}

function size() {
  const assets = path.join(ROOT, 'dist/console/assets');
  const scripts = readdirSync(assets).filter((name) => name.endsWith('.js'));
  const bytes = scripts.reduce((sum, name) => sum + gzipSync(readFileSync(path.join(assets, name))).length, 0);
  console.log(`JavaScript, gzip      ${(bytes / 1000).toFixed(0)} kB   goal < ${GZIP_BYTES_MAX / 1000}`);
}

/** Each time a page that has nothing of the one before but its log-in. */
async function firstPaint() {
  const measure = async ({ context, url, count }) => {
    const counted = count.toLocaleString('en-US');
    const page = await context.newPage();
    await page.goto(`${url}/runs`);
    await page.waitForSelector('.runs tbody .run-name');
    const ms = await page.evaluate('performance.now()');
    await page.getByText(`${counted} shown`).waitFor();
    const all = await page.evaluate('performance.now()');
    const [paint] = await page.evaluate(
      "performance.getEntriesByName('first-contentful-paint').map(({ startTime }) => startTime)",
    );
    await page.close();
    return { ms, paint, all };
  };
  for (const one of [empty, full]) one.context = await loggedIn(one);
  const paints = { empty: [], full: [] };
  const alls = { empty: [], full: [] };
  const timed = async (name, one) => {
    const { ms, paint, all } = await measure(one);
    paints[name].push(paint);
    alls[name].push(all);
    return ms;
  };
  await measure(empty);
  await measure(full);
  const { ratios, baselines, values } = await interleave(ROUNDS, () => timed('empty', empty), {
    full: () => timed('full', full),
  });
  console.log(`\npage of the runs, ${ROUNDS} rounds`);
  console.log(`  first paint, empty store        ${spread(paints.empty, 0)} ms`);
  console.log(`  first paint, ${RUNS} runs        ${spread(paints.full, 0)} ms`);
  console.log(`  first row, one run              ${spread(baselines, 0)} ms`);
  console.log(
    `  first row, ${RUNS} runs          ${spread(values.get('full'), 0)} ms   ${spread(ratios.get('full'))} x`,
  );
  console.log(`  all ${RUNS} runs read           ${spread(alls.full, 0)} ms`);
}

/** A server on a home with so many jobs. */
async function served(name, count) {
  const home = path.join(folder, name);
  mkdirSync(home, { mode: 0o700 });
  writeFileSync(path.join(home, 'config.json'), JSON.stringify({ sandbox: { mode: 'none' } }));
  const opened = await baton.openHome({ home, env: {}, writer: 'main' });
  await baton.seedJobs(opened.store, baton.nodeHasher, baton.manyJobs(count, Date.now()));
  await opened.close();
  const child = spawn(
    process.execPath,
    [path.join(ROOT, 'bin/baton.cjs'), 'serve', '--json', '--port', '0', '--log-level', 'error'],
    {
      env: { ...process.env, BATON_HOME: home },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const line = await new Promise((resolve, reject) => {
    let out = '';
    child.stdout.on('data', (bytes) => {
      out += bytes;
      if (out.includes('\n')) resolve(out);
    });
    child.once('close', () => reject(new Error(`the server ended: ${out}`)));
  });
  return { child, count, url: JSON.parse(line).url, token: readFileSync(path.join(home, 'token'), 'utf8').trim() };
}

async function loggedIn({ url, token }) {
  const headers = { authorization: `Bearer ${token}` };
  const answer = await fetch(`${url}/api/v1/console/links`, { method: 'POST', headers });
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto((await answer.json()).url);
  await page.waitForURL(/\/inbox/);
  await page.close();
  return context;
}

async function openBrowser() {
  const { chromium } = installed('playwright-core');
  const { default: packed } = await import(installed.resolve('@sparticuz/chromium'));
  return chromium.launch({ executablePath: await packed.executablePath(), args: ['--no-sandbox'] });
}
