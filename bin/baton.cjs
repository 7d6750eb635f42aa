#!/usr/bin/env node
'use strict';
// Two tiers: dist/quick is one small CommonJS bundle (validate, schema, version, help) with one more small file per
// contract and one for envelopes; everything else is the ES module build, loaded only when it is asked for.
const path = require('node:path');

const root = path.join(__dirname, '..');

function fail(object) {
  process.stderr.write(`${JSON.stringify(object)}\n`);
  process.exit(1);
}

let quick;
try {
  quick = require('../dist/quick/cli.cjs');
} catch (failure) {
  if (failure.code !== 'MODULE_NOT_FOUND') throw failure;
  fail({
    allow: false,
    code: 'NOT_BUILT',
    reason: 'this checkout has not been built',
    hint: 'Build it once: npm ci && npm run build.',
  });
}

quick
  .main(process.argv.slice(2), {
    root,
    loadContract: (name) => require(`../dist/quick/contracts/${name}.cjs`).contract,
    loadEnvelopes: () => require('../dist/quick/envelopes.cjs'),
    loadFull: () => import('../dist/full/main.js'),
  })
  .catch((failure) => {
    // Only a bug comes here: refusals were printed already. No stack trace unless it is asked for.
    const reason = failure instanceof Error ? failure.message : String(failure);
    if (process.env.BATON_DEBUG) process.stderr.write(`${failure.stack}\n`);
    fail({ allow: false, code: 'INTERNAL', reason, hint: 'This is a bug. Repeat with BATON_DEBUG=1 and report it.' });
  });
