import { CONTRACTS } from '../../src/contracts/catalogue.js';
import type { ContractName } from '../../src/contracts/contract-names.js';
import { check } from '../../src/contracts/shared/contract.js';
import { type Mutation, mutationsOf, versionMutations } from './mutations.js';
import { examplesOf } from './payload-examples.js';
import { RARE_FIELDS } from './rare-fields.js';
import { expectedCode, ruledMutations } from './rule-exceptions.js';
import { type Judge, judgesOf, type SchemaNode, schemaOf } from './schema-nodes.js';
import { sessionLinesOf } from './session-lines.js';

/** A valid example with exactly one change. */
export type Violation = {
  contract: ContractName;
  file: string;
  /** JSON pointer to what was changed. */
  pointer: string;
  what: string;
  payload: unknown;
  strict: boolean;
  code: string;
};

type Path = readonly (string | number)[];
type Change = { path: Path; what: string; code: string; strict?: boolean } & ({ value: unknown } | { removed: true });

/** Everything the schema of a contract forbids, done once to every place of every valid example. */
export function violationsOf(contract: ContractName): Violation[] {
  const root = schemaOf(contract);
  return basesOf(contract).flatMap(({ file, example }) => {
    // An example with fields that strict mode does not know cannot show what else strict mode accepts.
    const strictToo = check(CONTRACTS[contract], example, { strict: true }).allow;
    const changes = new Map<string, Change>();
    // Two branches of a schema may ask for the same; it is tried once.
    for (const change of changesOf(contract, root, root, example, [])) {
      if (strictToo || !change.strict) changes.set(nameOf(change), change);
    }
    return [...changes.values()].map((change) => violationOf(contract, file, example, change));
  });
}

/** The valid payloads that are changed. */
export function basesOf(contract: ContractName): { file: string; example: unknown }[] {
  const published = examplesOf(contract).filter(({ code }) => code === 'OK');
  const rare = RARE_FIELDS[contract] ?? [];
  const lines = sessionLinesOf(contract);
  return [
    ...published.map(({ file, text }) => ({ file, example: JSON.parse(text) as unknown })),
    ...lines.map((text, index) => ({ file: `session line ${index + 1}`, example: JSON.parse(text) as unknown })),
    ...rare.map((example, index) => ({ file: `rare fields of ${contract} ${index}`, example })),
  ];
}

function pointerOf(path: Path): string {
  return path.map((step) => `/${step}`).join('');
}

/** An orchestrator's output holds whole packets, which are checked as such. */
function packetAt(contract: ContractName, path: Path): SchemaNode | undefined {
  return contract === 'orchestrator-output' && path[0] === 'assignments' && path.length === 2
    ? schemaOf('assignment')
    : undefined;
}

function violationOf(contract: ContractName, file: string, example: unknown, change: Change): Violation {
  const { path, what, strict = false } = change;
  const pointer = pointerOf(path);
  const payload = changed(example, change);
  const code = expectedCode({ contract, pointer, what, payload, code: change.code });
  return { contract, file, pointer, what, payload, strict, code };
}

function* changesOf(
  contract: ContractName,
  root: SchemaNode,
  node: SchemaNode,
  value: unknown,
  path: Path,
): Iterable<Change> {
  const packet = packetAt(contract, path);
  if (packet && root !== packet) {
    yield* changesOf(contract, packet, packet, value, path);
    return;
  }
  const judges = [...judgesOf(root, node, value)];
  const versioned = path.at(-1) === 'schema_version' && CONTRACTS[contract].versioned !== undefined;
  for (const judge of judges) {
    const { type, pattern, ...rest } = judge.node;
    yield* placed(
      mutationsOf(
        {
          ...rest,
          // What stands behind a condition is not asked any more once the type is another.
          ...(type && !judge.condition && { type }),
          // A foreign major is told apart from a malformed version: the pattern alone does not say what follows.
          ...(pattern && !versioned && { pattern }),
        },
        value,
      ),
      path,
    );
  }
  if (versioned) yield* placed(versionMutations(), path);
  yield* placed(ruledMutations(contract, pointerOf(path)), path);
  if (Array.isArray(value)) yield* inList(contract, root, judges, value, path);
  else if (typeof value === 'object' && value !== null) {
    yield* inObject(contract, root, judges, value as Record<string, unknown>, path);
  }
}

function* placed(mutations: Iterable<Mutation>, path: Path): Iterable<Change> {
  for (const mutation of mutations) yield { path, ...mutation };
}

function* inList(contract: ContractName, root: SchemaNode, judges: Judge[], value: unknown[], path: Path) {
  for (const { node } of judges) {
    if (!node.items) continue;
    for (const [index, item] of value.entries()) yield* changesOf(contract, root, node.items, item, [...path, index]);
  }
}

function* inObject(
  contract: ContractName,
  root: SchemaNode,
  judges: Judge[],
  value: Record<string, unknown>,
  path: Path,
): Iterable<Change> {
  for (const { node, condition } of judges) {
    const needed = [...(node.required ?? []), ...onlyAlternative(node, value)];
    for (const key of needed.filter((name) => Object.hasOwn(value, name) && !condition?.present.includes(name))) {
      yield { path: [...path, key], what: 'removed', code: 'MISSING_REQUIRED_INPUT', removed: true };
    }
    for (const [key, inner] of Object.entries(value)) {
      const child = node.properties?.[key] ?? additional(node);
      if (child && !condition?.fixed.includes(key)) yield* changesOf(contract, root, child, inner, [...path, key]);
    }
  }
  if (judges.some(({ node }) => node.propertyNames)) {
    yield {
      path: [...path, 'not a name!'],
      what: 'has a key against the pattern',
      value: 'text',
      code: 'SCHEMA_INVALID',
    };
  }
  yield* unknownFields(judges, path);
}

function additional({ additionalProperties }: SchemaNode): SchemaNode | undefined {
  return typeof additionalProperties === 'object' ? additionalProperties : undefined;
}

/** Where one of several fields is needed, the only one that is there. */
function onlyAlternative({ anyOf = [] }: SchemaNode, value: object): string[] {
  const named = anyOf.flatMap(({ required = [] }) => required).filter((name) => Object.hasOwn(value, name));
  return named.length === 1 ? named : [];
}

/** Contract 003, "Extension Policy": only strict mode refuses what it does not know, and never `x_…`. */
function* unknownFields(judges: readonly Judge[], path: Path): Iterable<Change> {
  const unknown = { path: [...path, 'unknown_field'], what: 'unknown field', value: 1 };
  const extension = { path: [...path, 'x_field'], what: 'extension field', value: 1 };
  const closures = judges.map(({ node }) => node.additionalProperties);
  if (closures.includes(false)) {
    // Closed by its document: there an extension is an unknown field like any other.
    yield { ...unknown, code: 'SCHEMA_INVALID' };
    yield { ...extension, code: 'SCHEMA_INVALID' };
    return;
  }
  const listsItsFields = judges.some(({ node }) => node.properties !== undefined);
  if (!listsItsFields || closures.some((closure) => closure !== undefined)) return;
  yield { ...unknown, code: 'OK' };
  yield { ...unknown, strict: true, code: 'SCHEMA_INVALID' };
  yield { ...extension, strict: true, code: 'OK' };
}

function nameOf({ path, what, strict }: Change): string {
  return JSON.stringify([path, what, strict]);
}

function changed(example: unknown, change: Change): unknown {
  const last = change.path.at(-1);
  if (last === undefined) return 'value' in change ? change.value : undefined;
  const payload = structuredClone(example);
  const parent = change.path.slice(0, -1).reduce<unknown>((at, step) => (at as Record<string, unknown>)[step], payload);
  if ('removed' in change) delete (parent as Record<string, unknown>)[last];
  else (parent as Record<string, unknown>)[last] = change.value;
  return payload;
}
