import fc from 'fast-check';

type Schema = {
  type?: string | readonly string[];
  enum?: readonly unknown[];
  const?: unknown;
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  items?: Schema;
  anyOf?: readonly Schema[];
  oneOf?: readonly Schema[];
};

const ODD_TEXT = fc.constantFrom(
  ...['', ' ', '.', '..', '../..', '/', '\u0000', '\ud800', '\u2028', '%2e%2e', '__proto__', 'constructor', 'LAST'],
  ...['-1', '1e999', '9007199254740993', 'a'.repeat(300), 'system', 'j', '1', '💥', '"', "'; drop table journal; --"],
);
export const anyText: fc.Arbitrary<string> = fc.oneof(ODD_TEXT, fc.string({ unit: 'binary', maxLength: 40 }));
const anyNumber = fc.oneof(fc.integer(), fc.double(), fc.constantFrom(0, -0, -1, 1e15, 1e308, 2 ** 53 + 1));

/** Values that a schema may allow, and now and then something else in any place. */
export function fromSchema(schema: Schema): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 12, arbitrary: meant(schema) }, { weight: 1, arbitrary: fc.jsonValue() });
}

function meant({ type, enum: values, const: only, properties, required = [], items, anyOf, oneOf }: Schema) {
  const choices = anyOf ?? oneOf;
  if (choices) return fc.oneof(...choices.map(fromSchema));
  if (values) return fc.constantFrom(...values);
  if (only !== undefined) return fc.constant(only);
  switch (Array.isArray(type) ? type[0] : type) {
    case 'string':
      return anyText;
    case 'number':
    case 'integer':
      return anyNumber;
    case 'boolean':
      return fc.boolean();
    case 'array':
      return fc.array(fromSchema(items ?? {}), { maxLength: 4 });
    case 'object': {
      const fields = Object.fromEntries(Object.entries(properties ?? {}).map(([name, one]) => [name, fromSchema(one)]));
      return fc.record(fields, { requiredKeys: required.filter((name) => name in fields) });
    }
    default:
      return fc.jsonValue();
  }
}
