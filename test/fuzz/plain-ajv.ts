/**
 * The schemas as plain Ajv reads them, compiled here and now: neither the generated code nor our formats nor our way
 * of closing objects takes part.
 */

import { Ajv } from 'ajv';
import { Ajv2019 } from 'ajv/dist/2019.js';
import type { ContractName } from '../../src/contracts/contract-names.js';
import { momentMs } from '../conformance/second-opinion/moments.js';
import type { SchemaEntry } from './corpus.js';

type Accepts = (value: unknown) => boolean;
export type PlainJudges = ReadonlyMap<ContractName, { accepts: Accepts; acceptsStrictly: Accepts }>;

const FORMATS = {
  uuid: (text: string) =>
    text.length === 36 &&
    text
      .split('-')
      .map((part) => part.length)
      .join() === '8,4,4,4,12' &&
    isHex(text),
  'date-time': (text: string) => momentMs(text) !== undefined,
};

function isHex(text: string): boolean {
  return [...text].every((letter) => '0123456789abcdefABCDEF-'.includes(letter));
}

export function plainJudges(schemas: readonly SchemaEntry[]): PlainJudges {
  return new Map(
    schemas.map(({ name, schema, alsoKnown }) => [
      name,
      {
        accepts: compile(new Ajv({ strict: false, discriminator: true, logger: false }), schema),
        acceptsStrictly: leavingUnknownTypesOpen(
          compile(new Ajv2019({ strict: false, logger: false }), closed(schema, alsoKnown)),
          schema,
        ),
      },
    ]),
  );
}

function compile(ajv: Ajv | Ajv2019, schema: object): Accepts {
  for (const [name, validate] of Object.entries(FORMATS)) ajv.addFormat(name, validate);
  return ajv.compile(schema);
}

type Schema = Record<string, unknown>;

/** A message of a type that is not known yet is accepted, and nobody can say which fields it has. */
function leavingUnknownTypesOpen(accepts: Accepts, schema: object): Accepts {
  const { msg } = ((schema as Schema).properties ?? {}) as { msg?: { allOf?: object[] } };
  if (!msg?.allOf) return accepts;
  const types = new Set(JSON.stringify(msg.allOf).match(/(?<="const":)"[^"]*"/g));
  return (value) => {
    const { msg: message } = value as { msg?: unknown };
    const { type } = (message ?? {}) as { type?: unknown };
    return accepts(types.has(JSON.stringify(type)) ? value : { ...(value as object), msg: { type } });
  };
}

/** A part that is judged together with others: only what stands around all of them can tell which fields are known. */
const PARTS = new Set(['allOf', 'anyOf', 'oneOf', 'if', 'then', 'else', 'not', 'propertyNames']);
const AS_PART = ' as part';

/**
 * Strict mode, said in the words of a later draft: fields that no part of the schema has looked at are refused, but
 * for `x_`. Each definition exists twice, because inside an `allOf` it may not refuse what its neighbours know.
 */
function closed(schema: object, alsoKnown: readonly string[]): object {
  const { $schema: _, definitions = {}, ...root } = schema as Schema;
  const doubled: Schema = {};
  for (const [name, definition] of Object.entries(definitions as Schema)) {
    doubled[name] = close(definition, false);
    doubled[name + AS_PART] = close(definition, true);
  }
  const top = close(root, false) as Schema;
  for (const name of alsoKnown) (top.properties as Schema)[name] ??= {};
  return { ...top, definitions: doubled };
}

function close(node: unknown, isPart: boolean): unknown {
  if (Array.isArray(node)) return node.map((inner) => close(inner, isPart));
  if (typeof node !== 'object' || node === null) return node;
  const schema = node as Schema;
  const result: Schema = {};
  for (const [keyword, inner] of Object.entries(schema)) {
    if (keyword === '$ref' && isPart && inner !== '#') result[keyword] = inner + encodeURIComponent(AS_PART);
    else if (['enum', 'const', 'default', 'required', 'discriminator'].includes(keyword)) result[keyword] = inner;
    else if (keyword === 'properties') result[keyword] = mapValues(inner as Schema, (field) => close(field, false));
    else result[keyword] = close(inner, PARTS.has(keyword));
  }
  // A discriminator only speeds up oneOf; the later draft's class does not know it.
  delete result.discriminator;
  if (isPart || schema.$ref !== undefined || !listsFields(schema) || 'additionalProperties' in schema) return result;
  return { ...result, patternProperties: { '^x_': {} }, unevaluatedProperties: false };
}

function mapValues(object: Schema, change: (value: unknown) => unknown): Schema {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]));
}

/** Does this schema, or a part of it, say which fields there are? */
function listsFields(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.some(listsFields);
  if (typeof schema !== 'object' || schema === null) return false;
  const { properties, $ref } = schema as Schema;
  if (properties !== undefined || $ref !== undefined) return true;
  return ['allOf', 'anyOf', 'oneOf', 'then', 'else'].some((keyword) => listsFields((schema as Schema)[keyword]));
}
