import { describe, expect, test } from 'vitest';
import { CONTRACTS } from '../../src/contracts/catalogue.js';
import { CONTRACT_NAMES } from '../../src/contracts/contract-names.js';
import { checkText } from '../../src/contracts/shared/contract.js';
import { examplesOf, foldersOfExamples, readExample } from './payload-examples.js';

describe.each(CONTRACT_NAMES)('the examples of %s', (contract) => {
  const examples = examplesOf(contract);

  test.each(examples)('$file is judged $code', ({ text, code }) => {
    expect(checkText(CONTRACTS[contract], text)).toMatchObject({ allow: code === 'OK', code });
  });
});
