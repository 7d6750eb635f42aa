// A worker: gets the request on standard input, changes files in its workspace, answers with one JSON object.
import { readFileSync, writeFileSync } from 'node:fs';

const request = JSON.parse(readFileSync(0, 'utf8'));
const source = readFileSync('price.js', 'utf8');
const sentBack = request.metadata.guidance.length > 0;

// The first try forgets the rounding; the failing check is its guidance for the second.
const fixed = sentBack ? 'Math.round(net * 1.19 * 100) / 100' : 'net * 1.19';
writeFileSync('price.js', source.replace(/return .*;/, `return ${fixed};`));

console.log(
  JSON.stringify({
    action: 'COMPLETED',
    evidence_files: ['price.js'],
    summary_for_supervisor: sentBack ? 'Prices are rounded to cents now.' : 'Prices include the tax now.',
    x_usage: { input_tokens: 1800, output_tokens: 240, cost_usd: 0.012 },
  }),
);
