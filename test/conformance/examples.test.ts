import { describe, expect, test } from 'vitest';
import { CONTRACTS } from '../../src/contracts/catalogue.js';
import { CONTRACT_NAMES, type ContractName } from '../../src/contracts/contract-names.js';
import { check, checkText } from '../../src/contracts/shared/contract.js';
import { isErrorCode } from '../../src/contracts/shared/errors.js';
import { examplesOf, foldersOfExamples, type PayloadExample, readExample } from './payload-examples.js';

const EXAMPLES = CONTRACT_NAMES.flatMap(examplesOf);

describe(`${EXAMPLES.length} examples`, () => {
  test.each(EXAMPLES.map((example) => [example.file, example.code, example] as const))(
    '%s is %s',
    (_, code, example) => {
      expect(judged(example)).toMatchObject({ allow: code === 'OK', code });
    },
  );

  test('refused ones begin with a code of the catalogue', () => {
    expect(EXAMPLES.filter(({ code }) => code !== 'OK' && !isErrorCode(code))).toEqual([]);
  });

  test('lie in folders that are named after contracts', () => {
    expect(foldersOfExamples().toSorted()).toEqual(CONTRACT_NAMES.toSorted());
  });

  test.each(CONTRACT_NAMES)('%s has valid and refused ones', (contract) => {
    const codes = examplesOf(contract).map(({ code }) => code);
    expect(codes).toContain('OK');
    expect(codes.filter((code) => code !== 'OK')).not.toEqual([]);
  });
});

/** Every code that the interface promises of a validator of contract 003 is shown by an example. */
const PROMISED: Partial<Record<ContractName, readonly string[]>> = {
  assignment: ['LOCK_CONFLICT', 'SCOPE_VIOLATION', 'UNTRUSTED_CONTEXT_BLOCK', 'UNKNOWN_SCHEMA_VERSION'],
  'orchestrator-output': [
    'LOCK_CONFLICT',
    'SCOPE_VIOLATION',
    'KEY_REUSED',
    'NON_COMPLIANT',
    'UNTRUSTED_CONTEXT_BLOCK',
    'UNKNOWN_SCHEMA_VERSION',
  ],
  'subagent-result': ['ACCEPTANCE_FAILED', 'UNTRUSTED_CONTEXT_BLOCK', 'UNKNOWN_SCHEMA_VERSION'],
  'worklog-entry': ['UNTRUSTED_CONTEXT_BLOCK', 'UNKNOWN_SCHEMA_VERSION'],
  'handoff-bundle': ['LOCK_CONFLICT', 'UNKNOWN_SCHEMA_VERSION'],
  'ledger-delta': ['KEY_REUSED', 'LEDGER_INCONSISTENT', 'UNKNOWN_SCHEMA_VERSION'],
  locks: ['LOCK_CONFLICT', 'UNKNOWN_SCHEMA_VERSION'],
  reconcile: ['LEDGER_INCONSISTENT', 'UNKNOWN_SCHEMA_VERSION'],
  watchdog: ['TASK_TIMEOUT', 'UNKNOWN_SCHEMA_VERSION'],
  plan: [
    'LOCK_CONFLICT',
    'SCOPE_VIOLATION',
    'LEDGER_INCONSISTENT',
    'UNTRUSTED_CONTEXT_BLOCK',
    'UNKNOWN_SCHEMA_VERSION',
  ],
};

test.each(Object.entries(PROMISED))('the examples of %s show every code it may answer', (contract, promised) => {
  const shown = new Set(examplesOf(contract as ContractName).map(({ code }) => code));
  const all = ['OK', 'MISSING_REQUIRED_INPUT', 'SCHEMA_INVALID', ...promised];
  expect([...shown].toSorted()).toEqual(all.toSorted());
});

describe('the documents’ own examples', () => {
  test('the request of contract 001 is refused as printed, for its prompt is shorter than its schema allows [R186]', () => {
    const printed = JSON.parse(readExample('agent-request/refused/SCHEMA_INVALID.document-example.json'));
    expect(check(CONTRACTS['agent-request'], printed)).toMatchObject({
      code: 'SCHEMA_INVALID',
      details: { path: '/prompt', keyword: 'minLength' },
    });
    const lengthened = { ...printed, prompt: printed.prompt.padEnd(100, '.') };
    expect(check(CONTRACTS['agent-request'], lengthened)).toMatchObject({ allow: true });
  });

  test.each(['document-success', 'document-error'])('the %s response of contract 001 is valid [R187, R188]', (name) => {
    expect(judgedFile('bridge-response', name)).toMatchObject({ allow: true });
  });

  test('the state of contract 001 is valid and waits before an agent of phase 5 [R185, R189]', () => {
    expect(judgedFile('checkpoint-state', 'document-state')).toMatchObject({ allow: true });
    expect(JSON.parse(readExample('checkpoint-state/document-state.json'))).toMatchObject({
      phase: 5,
      phase_name: 'agent_recommendation',
      checkpoint_name: 'before_agent_invocation',
    });
  });

  test('the nulls that the dataclass of contract 001 writes fail its own schema [R209]', () => {
    const state = JSON.parse(readExample('checkpoint-state/document-state.json'));
    for (const field of ['project_path', 'template_name']) {
      expect(check(CONTRACTS['checkpoint-state'], { ...state, [field]: null })).toMatchObject({
        code: 'SCHEMA_INVALID',
        details: { path: `/${field}` },
      });
    }
  });

  test.each(['minimal-v1.0', 'v1.1-several-stages', 'completed-response'])(
    'the envelope %s is valid: versions 1.0, 1.1 and 1.2 are read [R348, R349, R350]',
    (name) => {
      expect(judgedFile('envelope', name)).toMatchObject({ allow: true });
    },
  );

  test('the minimal assignment of contract 003 is valid, in strict mode too [R489]', () => {
    const packet = JSON.parse(readExample('assignment/document-minimal.json'));
    expect(check(CONTRACTS.assignment, packet, { strict: true })).toMatchObject({ allow: true });
  });

  test('the minimal result of contract 003 is valid, in strict mode too [R490]', () => {
    const result = JSON.parse(readExample('subagent-result/document-minimal.json'));
    expect(check(CONTRACTS['subagent-result'], result, { strict: true })).toMatchObject({ allow: true });
  });

  test('the classification of contract 004 is read [R519]', () => {
    const agent = JSON.parse(readExample('agent/document-classification.json'));
    expect(agent.classification).toBe('Component.Government.CoRT.Supervisor.Persistent.Restricted');
    expect(check(CONTRACTS.agent, agent)).toMatchObject({ allow: true });
  });
});

/** Valid examples with fields that their schema does not name. */
const EXTENDED = [
  'stage-execution/partial.json', // says why a step failed
];

const strictlyRefused = EXAMPLES.filter(({ code }) => code === 'OK')
  .filter((example) => !judged(example, true).allow)
  .map(({ file }) => file);

test('an example is valid in strict mode unless it holds a field that its schema does not name', () => {
  expect(strictlyRefused).toEqual(EXTENDED);
});

function judged({ contract, text }: PayloadExample, strict = false) {
  return checkText(CONTRACTS[contract], text, { strict });
}

function judgedFile(contract: ContractName, name: string) {
  return checkText(CONTRACTS[contract], readExample(`${contract}/${name}.json`));
}
