// Pictures of every page of the console, in both themes and at both widths: docs/console.
import path from 'node:path';
import { buildIfStale, installDependencies, ROOT, run } from './setup.mjs';

installDependencies();
installDependencies(path.join(ROOT, 'test/tools/browser'));
await buildIfStale();
const SCENES = ['pages', 'house-pages', 'run-page', 'inbox', 'operator', 'envelopes', 'bridges', 'sessions'].map(
  (name) => `test/browser/${name}.test.ts`,
);
run(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', ...SCENES], {
  env: { ...process.env, BATON_SCREENSHOTS: path.join(ROOT, 'docs/console') },
});
