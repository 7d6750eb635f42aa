// A writer: tells people what the shop does.
import { readFileSync, writeFileSync } from 'node:fs';

readFileSync(0, 'utf8');
writeFileSync(
  'README.md',
  '# Shop\n\n`gross(net)` adds 19 % tax and rounds to cents. Try it: `node test/price.test.js`\n',
);

console.log(
  JSON.stringify({
    action: 'COMPLETED',
    evidence_files: ['README.md'],
    summary_for_supervisor: 'The README says what gross does and how to try it.',
    x_usage: { input_tokens: 1200, output_tokens: 80, cost_usd: 0.006 },
  }),
);
