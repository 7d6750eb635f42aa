// Judges every payload under examples/payloads and every line under examples/session with its contract, and prints a
// table. A file under refused/ must be refused with the code its name begins with. Exits 1 when one is judged otherwise.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { CONTRACT_NAMES, CONTRACTS, checkText } from 'baton/contracts';

const EXAMPLES = path.dirname(fileURLToPath(import.meta.url));
const PAYLOADS = path.join(EXAMPLES, 'payloads');
const LINES = { submission: 'session/submissions.ndjson', event: 'session/events.ndjson' };

function jsonFiles(folder) {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.json'))
      .map((name) => path.join(folder, name));
  } catch {
    return [];
  }
}

function judge(contract, file, expected) {
  const verdict = checkText(CONTRACTS[contract], readFileSync(file));
  return verdict.code === expected ? undefined : { file: path.relative(PAYLOADS, file), expected, verdict };
}

function judgeLines(contract, file) {
  const lines = readFileSync(path.join(EXAMPLES, file), 'utf8').trimEnd().split('\n');
  return lines.map((line, index) => {
    const verdict = checkText(CONTRACTS[contract], line);
    return verdict.allow ? undefined : { file: `${file}:${index + 1}`, expected: 'OK', verdict };
  });
}

const surprises = [];
let total = 0;
console.log('CONTRACT                ALLOWED  REFUSED  CODES SEEN');
for (const contract of CONTRACT_NAMES) {
  const folder = path.join(PAYLOADS, contract);
  const allowed = jsonFiles(folder);
  const refused = jsonFiles(path.join(folder, 'refused'));
  const codes = new Set(refused.map((file) => path.basename(file).split('.')[0]));
  for (const file of allowed) surprises.push(judge(contract, file, 'OK'));
  for (const file of refused) surprises.push(judge(contract, file, path.basename(file).split('.')[0]));
  total += allowed.length + refused.length;
  const counts = `${String(allowed.length).padStart(7)}  ${String(refused.length).padStart(7)}`;
  console.log(`${contract.padEnd(22)}  ${counts}  ${[...codes].sort().join(' ')}`);
}

console.log('\nLINES');
for (const [contract, file] of Object.entries(LINES)) {
  const judged = judgeLines(contract, file);
  surprises.push(...judged);
  total += judged.length;
  console.log(`${contract.padEnd(22)}  ${String(judged.length).padStart(7)}  ${file}`);
}

const wrong = surprises.filter(Boolean);
for (const { file, expected, verdict } of wrong) {
  console.log(`WRONG ${file}: expected ${expected}, got ${verdict.code} (${verdict.reason})`);
}
console.log(`\n${total} payloads and lines judged, ${wrong.length} not as expected`);
console.log('Check your own: ./baton validate assignment packet.json');
process.exitCode = wrong.length === 0 && total > 0 ? 0 : 1;
