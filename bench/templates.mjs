// Knowing a project of 50,000 files, against a bare walk that only looks at each of them, and how much memory it takes.
// Every tenth file has text. Not measured: agents, network file systems, a cold disk.
import { execFileSync, spawnSync } from 'node:child_process';
import { lstatSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import path from 'node:path';
import { bundleSource, scratchFolder } from './measure/bundle.mjs';
import { readOptions } from './measure/options.mjs';
import { elapsedMs, interleave, spread } from './measure/ratio.mjs';

const { rounds: ROUNDS } = readOptions(process.argv.slice(2), 5);
const FILES = 50_000;
const FOLDERS = 500;
const MEMORY_MB_MAX = 500;
const PARTS = ['template/project/scan-project', 'template/analysis/analyse-heuristically'];
const MORE_PARTS = ['template/analysis/sample-files', 'template/analysis/analysis-prompt'];

const folder = scratchFolder();
const bundle = await bundleSource(folder, [...PARTS, ...MORE_PARTS]);
const { scanProject, analyseHeuristically, sampleFiles, analysisPrompt } = await import(bundle);
const walked = path.join(folder, 'walked');
const listed = path.join(folder, 'listed');
for (const root of [walked, listed]) makeProject(root);
execFileSync('git', ['init', '-q'], { cwd: listed });
// Not a work tree: the checkout around it must not be asked.
writeFileSync(path.join(walked, '.git'), 'gitdir: nowhere\n');

console.log(`${cpus().length} cores, load ${loadavg()[0].toFixed(1)}; ${FILES} files, ${ROUNDS} rounds`);
const { ratios, baselines, values } = await interleave(ROUNDS, () => elapsedMs(async () => bareWalk(walked)), {
  'scan, walking': () => elapsedMs(() => scanProject(walked)),
  'scan, git lists': () => elapsedMs(() => scanProject(listed)),
  'up to the prompt': () => elapsedMs(() => know(walked)),
});
console.log(`  ${'bare walk'.padEnd(20)} ${spread(baselines, 0)} ms`);
for (const [name, taken] of values) {
  console.log(`  ${name.padEnd(20)} ${spread(taken, 0)} ms   ${spread(ratios.get(name))} x bare walk`);
}
const [bare, whole] = [peakMb('bareWalk'), peakMb('know')];
console.log(`  peak memory          ${whole} MB, a bare walk ${bare} MB   goal < ${MEMORY_MB_MAX} MB`);
if (whole >= MEMORY_MB_MAX) process.exitCode = 1;

async function know(root) {
  const project = await scanProject(root);
  if (project.files.length !== FILES) throw new Error(`${project.files.length} files were seen`);
  const analysis = await analyseHeuristically(project);
  return analysisPrompt(project, analysis, await sampleFiles(project, analysis));
}

/** As `find` does it: every entry is looked at once. */
function bareWalk(root) {
  let count = 0;
  for (const name of readdirSync(root, { recursive: true })) if (lstatSync(path.join(root, name)).isFile()) count += 1;
  return count;
}

/** In a process of its own: the most it held at once. */
function peakMb(what) {
  const program = [
    `import { lstatSync, readdirSync } from 'node:fs'; import path from 'node:path';`,
    `const { scanProject, analyseHeuristically, sampleFiles, analysisPrompt } = await import(${JSON.stringify(bundle)});`,
    `const FILES = ${FILES}; ${know} ${bareWalk}`,
    `await ${what}(${JSON.stringify(walked)}); console.log(Math.round(process.resourceUsage().maxRSS / 1024));`,
  ].join('\n');
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
    encoding: 'utf8',
  });
  if (!/^\d+\s*$/.test(stdout)) throw new Error(stderr);
  return Number(stdout);
}

function makeProject(root) {
  for (let index = 0; index < FOLDERS; index += 1) {
    const inside = path.join(root, `part-${index % 20}`, index % 2 ? 'domain' : 'services', `unit-${index}`);
    mkdirSync(inside, { recursive: true });
    for (let file = 0; file < FILES / FOLDERS; file += 1) {
      const text =
        file % 10 === 0 ? `export function unit${index}No${file}(): number { return ${file}; }\n`.repeat(20) : '';
      writeFileSync(path.join(inside, `file-${file}.ts`), text);
    }
  }
}
