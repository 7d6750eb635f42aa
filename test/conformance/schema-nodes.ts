import { Ajv } from 'ajv';
import { schemas } from '../../src/contracts/generated/validators/schemas.js';

/** The keywords of draft-07 that our schemas use. */
export type SchemaNode = {
  $ref?: string;
  $comment?: string;
  type?: string | readonly string[];
  enum?: readonly unknown[];
  const?: unknown;
  pattern?: string;
  format?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  exclusiveMinimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  items?: SchemaNode;
  required?: readonly string[];
  properties?: Readonly<Record<string, SchemaNode>>;
  propertyNames?: SchemaNode;
  additionalProperties?: boolean | SchemaNode;
  allOf?: readonly SchemaNode[];
  anyOf?: readonly SchemaNode[];
  oneOf?: readonly SchemaNode[];
  if?: SchemaNode;
  then?: SchemaNode;
  else?: SchemaNode;
  definitions?: Readonly<Record<string, SchemaNode>>;
};

/**
 * A node that judges a value. One that stands behind a condition says on which fields it depends: `present` must stay,
 * `fixed` must keep their value, or another branch of the schema would judge instead.
 */
export type Judge = { node: SchemaNode; condition?: Condition };
export type Condition = { present: readonly string[]; fixed: readonly string[] };

export function schemaOf(contract: string): SchemaNode {
  return schemas[contract] as SchemaNode;
}

/** All nodes of the schema that judge this value, with every `$ref`, branch and condition resolved. */
export function* judgesOf(root: SchemaNode, node: SchemaNode, value: unknown, condition?: Condition): Iterable<Judge> {
  if (node.$ref) {
    yield* judgesOf(root, referred(root, node.$ref), value, condition);
    return;
  }
  yield { node, ...(condition && { condition }) };
  for (const part of node.allOf ?? []) yield* judgesOf(root, part, value, condition);
  for (const branch of node.oneOf ?? []) {
    if (holds(root, branch, value)) yield* judgesOf(root, branch, value, condition);
  }
  if (node.if) {
    const branch = holds(root, node.if, value) ? node.then : node.else;
    if (branch) yield* judgesOf(root, branch, value, narrowed(condition, node.if));
  }
}

/** Every place a payload of this contract may have, in any branch. `*` stands for any list item or any key. */
export function pathsOf(contract: string): Set<string> {
  const root = schemaOf(contract);
  return pathsBelow(root, root);
}

/** The same for a node of a schema, seen from that node. */
export function pathsBelow(root: SchemaNode, start: SchemaNode): Set<string> {
  const paths = new Set<string>();
  const visit = (node: SchemaNode, path: string): void => {
    for (const branch of everyNode(root, node)) {
      for (const [step, child] of childrenOf(branch)) {
        paths.add(`${path}/${step}`);
        visit(child, `${path}/${step}`);
      }
    }
  };
  visit(start, '');
  return paths;
}

function childrenOf({ properties = {}, items, additionalProperties }: SchemaNode): [string, SchemaNode][] {
  const anyKey = typeof additionalProperties === 'object' ? additionalProperties : undefined;
  const unnamed = [items, anyKey].filter((child) => child !== undefined);
  return [...Object.entries(properties), ...unnamed.map((child): [string, SchemaNode] => ['*', child])];
}

function everyNode(root: SchemaNode, node: SchemaNode): SchemaNode[] {
  if (node.$ref) return everyNode(root, referred(root, node.$ref));
  const branches = [...(node.allOf ?? []), ...(node.anyOf ?? []), ...(node.oneOf ?? []), node.then, node.else];
  return [node, ...branches.flatMap((branch) => (branch ? everyNode(root, branch) : []))];
}

function referred(root: SchemaNode, reference: string): SchemaNode {
  const found = root.definitions?.[reference.replace('#/definitions/', '')];
  if (!found) throw new Error(`${reference} is not defined`);
  return found;
}

function narrowed(outer: Condition | undefined, { required = [], properties = {} }: SchemaNode): Condition {
  return {
    present: [...(outer?.present ?? []), ...required],
    fixed: [...(outer?.fixed ?? []), ...Object.keys(properties)],
  };
}

const ajv = new Ajv({ strict: false, validateFormats: false });
const compiled = new WeakMap<SchemaNode, (value: unknown) => boolean>();

/** Asks plain Ajv, so that the branch does not depend on the validators under test. */
function holds(root: SchemaNode, node: SchemaNode, value: unknown): boolean {
  const validate = compiled.get(node) ?? ajv.compile({ ...node, definitions: root.definitions ?? {} });
  compiled.set(node, validate);
  return validate(value);
}
