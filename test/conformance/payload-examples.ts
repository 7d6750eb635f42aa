import { readdirSync, readFileSync } from 'node:fs';
import type { ContractName } from '../../src/contracts/contract-names.js';

const PAYLOADS = new URL('../../examples/payloads/', import.meta.url);

/** One file under examples/payloads. `code` is the verdict its file name promises; OK for the valid ones. */
export type PayloadExample = { contract: ContractName; file: string; code: string; text: string };

/** Valid payloads lie in the contract's folder, refused ones in `refused/` under the name `<CODE>.<what>.json`. */
export function examplesOf(contract: ContractName): PayloadExample[] {
  const valid = filesIn(`${contract}/`).map((file) => ({ file, code: 'OK' }));
  const refused = filesIn(`${contract}/refused/`).map((file) => ({ file, code: promisedCode(file) }));
  return [...valid, ...refused].map(({ file, code }) => ({ contract, file, code, text: readExample(file) }));
}

export function readExample(file: string): string {
  return readFileSync(new URL(file, PAYLOADS), 'utf8');
}

export function foldersOfExamples(): string[] {
  return readdirSync(PAYLOADS);
}

function filesIn(folder: string): string[] {
  const entries = readdirSync(new URL(folder, PAYLOADS), { withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => folder + name);
}

function promisedCode(file: string): string {
  const name = file.slice(file.lastIndexOf('/') + 1);
  return name.slice(0, name.indexOf('.'));
}
