import { BatonError, type Details } from './errors.js';
import { readJson } from './read-json.js';
import { allow, type Denial, deny, type Verdict } from './verdict.js';
import { versionDenial } from './version.js';

/** What a generated validator reports: the first violation, since validators stop there. */
export type SchemaProblem = {
  instancePath: string;
  schemaPath: string;
  keyword: string;
  params: Record<string, unknown>;
  message?: string;
};
export type Validate = ((value: unknown) => boolean) & { errors?: null | SchemaProblem[] };

/** A rule no schema can state. It sees a value that already fits the schema. */
export type Rule<T> = (value: T, options: CheckOptions) => true | Denial;

export interface Contract<T> {
  readonly name: string;
  readonly validate: Validate;
  /** As `validate`, but unknown fields that do not begin with `x_` are refused. */
  readonly validateStrict: Validate;
  /** Run in this order once the schema holds. */
  readonly rules: readonly Rule<T>[];
  /** Rules that the document's check order puts before the schema of a later top-level field. */
  readonly rulesBefore?: Readonly<Record<string, readonly Rule<T>[]>>;
  /** Payloads of 003 carry a version whose major must be known. */
  readonly versioned?: 'required' | 'optional';
  /** How this payload is compared with the one it answers or follows. */
  readonly against?: { readonly contract: string; check(value: T, earlier: unknown): true | Denial };
  readonly bytesMax?: number;
}

/** Any contract at all: what is read through it has been checked, but its type is not known here. */
export type AnyContract = Contract<never>;

export type CheckOptions = { strict?: boolean };
const USUAL: CheckOptions = {};

/** Judges a parsed value. A validator that fails is a refusal, never an acceptance. */
export function check<T>(contract: Contract<T>, value: unknown, options: CheckOptions = USUAL): Verdict {
  try {
    refusePollution();
    const denial = schemaDenial(contract, value, options) ?? ruleDenial(contract.rules, value as T, options);
    return denial ? named(contract, denial) : allow();
  } catch (failure) {
    return named(contract, deny('VALIDATOR_FAILED', `the validator failed: ${messageOf(failure)}`));
  }
}

/** Judges bytes or text: reads them safely first. */
export function checkText<T>(
  contract: Contract<T>,
  input: string | Uint8Array,
  options: CheckOptions = USUAL,
): Verdict {
  const read = readJson(input, contract.bytesMax);
  return 'denial' in read ? named(contract, read.denial) : check(contract, read.value, options);
}

/** Judges a valid value against the payload it answers; `earlier` must be valid itself. */
export function checkAgainst<T>(contract: Contract<T>, value: T, earlier: unknown): Verdict {
  if (!contract.against) throw new BatonError('USAGE', `${contract.name} is not compared with another payload`);
  try {
    const verdict = contract.against.check(value, earlier);
    return verdict === true ? allow() : named(contract, verdict);
  } catch (failure) {
    return named(contract, deny('VALIDATOR_FAILED', `the validator failed: ${messageOf(failure)}`));
  }
}

/** The only way in: every value from outside becomes a typed contract here, or is refused. */
export function parseContract<T>(contract: Contract<T>, input: unknown, options: CheckOptions = USUAL): T {
  const verdict = check(contract, input, options);
  if (verdict.allow) return input as T;
  throw new BatonError(verdict.code, verdict.reason, verdict.details);
}

const NOTHING = {};

/**
 * Validators read fields without asking whether they are the object's own, which is half again as fast. That is only
 * right while no library has added fields to every object, so this is made sure of first.
 */
function refusePollution(): void {
  for (const field in NOTHING) throw new Error(`every object has a field ${field}: a prototype was tampered with`);
}

function schemaDenial<T>(contract: Contract<T>, value: unknown, options: CheckOptions): Denial | undefined {
  if (!contract.validate(value)) return violation(contract, value, contract.validate.errors ?? []);
  if (options.strict && !contract.validateStrict(value)) {
    return violation(contract, value, contract.validateStrict.errors ?? []);
  }
  return undefined;
}

function violation<T>(contract: Contract<T>, value: unknown, problems: readonly SchemaProblem[]): Denial {
  const problem = mostSpecific(problems);
  const [, field = ''] = problem.instancePath.split('/');
  const early = contract.rulesBefore?.[field];
  return (
    (early && ruleDenial(early, value as T, USUAL)) ??
    versionDenial(contract.versioned, value, problem.instancePath) ??
    translate(problem)
  );
}

function ruleDenial<T>(rules: readonly Rule<T>[], value: T, options: CheckOptions): Denial | undefined {
  for (const rule of rules) {
    const verdict = rule(value, options);
    if (verdict !== true) return verdict;
  }
  return undefined;
}

/** Where several branches were tried, the branch that got furthest names the real mistake. */
function mostSpecific(problems: readonly SchemaProblem[]): SchemaProblem {
  const [first, ...rest] = problems;
  if (!first) throw new Error('the validator refused without a reason');
  return rest.reduce((best, next) => (next.instancePath.length > best.instancePath.length ? next : best), first);
}

function translate(problem: SchemaProblem): Denial {
  const { keyword, params } = problem;
  if (keyword === 'required') {
    const path = `${problem.instancePath}/${params.missingProperty}`;
    return deny('MISSING_REQUIRED_INPUT', `${pointer(path)} is missing`, { path, keyword });
  }
  if (keyword === 'minItems' && params.limit === 1) {
    return deny('MISSING_REQUIRED_INPUT', `${pointer(problem.instancePath)} is empty`, {
      path: problem.instancePath,
      keyword,
    });
  }
  const details: Details = { path: problem.instancePath, keyword, ...expectation(problem) };
  return deny('SCHEMA_INVALID', `${pointer(problem.instancePath)} ${sentence(problem)}`, details);
}

function sentence({ keyword, params, message }: SchemaProblem): string {
  switch (keyword) {
    case 'type':
      return `must be ${[params.type].flat().join(' or ')}`;
    case 'enum':
      return `must be one of ${(params.allowedValues as unknown[]).map((value) => JSON.stringify(value)).join(', ')}`;
    case 'const':
      return `must be ${JSON.stringify(params.allowedValue)}`;
    case 'minLength':
      return params.limit === 1 ? 'is empty' : `is shorter than ${params.limit} characters`;
    case 'maxLength':
      return `is longer than ${params.limit} characters`;
    case 'pattern':
      return params.pattern === '\\S' ? 'is blank' : `does not match ${params.pattern}`;
    case 'format':
      return `is not a valid ${params.format}`;
    case 'additionalProperties':
      return `has the unknown field ${JSON.stringify(params.additionalProperty)}`;
    case 'discriminator':
      return `has an unknown ${String(params.tag)}: ${JSON.stringify(params.tagValue)}`;
    default:
      return message ?? 'does not fit the schema';
  }
}

function expectation({ keyword, params }: SchemaProblem): Details {
  if (keyword === 'enum') return { expected: params.allowedValues };
  if (keyword === 'const') return { expected: params.allowedValue };
  if (keyword === 'additionalProperties') return { field: params.additionalProperty };
  return {};
}

function pointer(path: string): string {
  return path === '' ? 'the payload' : path;
}

function named<T>(contract: Contract<T>, denial: Denial): Denial {
  return { ...denial, details: { contract: contract.name, ...denial.details } };
}

function messageOf(failure: unknown): string {
  return failure instanceof Error ? failure.message : String(failure);
}
