// Judges every payload under examples/payloads with its contract and prints a table.
// A file under refused/ must be refused with the code its name begins with. Exits 1 when one is judged otherwise.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { CONTRACT_NAMES, CONTRACTS, checkText } from 'baton/contracts';

const PAYLOADS = path.join(path.dirname(fileURLToPath(import.meta.url)), 'payloads');

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

const wrong = surprises.filter(Boolean);
for (const { file, expected, verdict } of wrong) {
  console.log(`WRONG ${file}: expected ${expected}, got ${verdict.code} (${verdict.reason})`);
}
console.log(`\n${total} payloads judged, ${wrong.length} not as expected`);
console.log('Check your own: ./baton validate assignment packet.json');
process.exitCode = wrong.length === 0 && total > 0 ? 0 : 1;
