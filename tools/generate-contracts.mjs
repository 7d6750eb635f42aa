// schemas/*.json → src/contracts/generated: types (committed) and compiled validators (built, ignored by git).
// Run: npm run generate
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { _, Ajv } from 'ajv';
import standaloneCode from 'ajv/dist/standalone/index.js';
import { compile } from 'json-schema-to-typescript';

const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const GENERATED = path.join(ROOT, 'src/contracts/generated');
const BANNER = '// Generated from schemas/ by `npm run generate`. Do not edit.\n';

/** The index is the list of everything that is generated. */
export function readSchemas(root = ROOT) {
  const { schemas } = JSON.parse(readFileSync(path.join(root, 'schemas/index.json'), 'utf8'));
  return schemas.map((entry) => ({
    ...entry,
    schema: JSON.parse(readFileSync(path.join(root, 'schemas', entry.file), 'utf8')),
  }));
}

/** Options shared by the compiled validators and by the tests that compare them with plain Ajv. */
export const AJV_OPTIONS = {
  strict: true,
  strictRequired: false,
  allowUnionTypes: true,
  discriminator: true,
  messages: true,
};

const BRANCHES = ['allOf', 'anyOf', 'oneOf', 'then', 'else'];
const VALUES = ['enum', 'const', 'default', 'if'];

/**
 * Strict mode: every object that lists its fields refuses all others but `x_…`. An object with branches is closed as a
 * whole when its branches name no field it does not list itself; otherwise each branch is closed, and knows the
 * fields that are listed beside the branches.
 */
export function closeObjects(schema, alsoKnown = []) {
  return closeNode(schema, schema, alsoKnown);
}

function closeNode(node, root, known) {
  if (Array.isArray(node)) return node.map((item) => closeNode(item, root, []));
  if (typeof node !== 'object' || node === null) return node;
  const listed = [...Object.keys(node.properties ?? {}), ...known];
  const branches = BRANCHES.flatMap((keyword) => node[keyword] ?? []);
  const splits = branches.some((branch) => fieldsOf(branch, root).some((name) => !listed.includes(name)));
  const closed = {};
  for (const [key, value] of Object.entries(node)) {
    if (VALUES.includes(key)) closed[key] = value;
    else if (key === 'properties' || key === 'definitions') {
      closed[key] = Object.fromEntries(
        Object.entries(value).map(([name, inner]) => [name, closeNode(inner, root, [])]),
      );
    } else if (BRANCHES.includes(key)) closed[key] = splits ? closeBranches(value, root, listed) : value;
    else closed[key] = closeNode(value, root, []);
  }
  if (node.properties && !splits && node.additionalProperties === undefined) closed.additionalProperties = false;
  if (closed.additionalProperties === false && !node.patternProperties) closed.patternProperties = { '^x_': {} };
  if (known.length > 0 && closed.properties) {
    for (const name of known) closed.properties[name] ??= {};
  }
  return closed;
}

/** A branch that only points at a definition gets a copy of it, since elsewhere that definition stands alone. */
function closeBranches(value, root, known) {
  if (Array.isArray(value)) return value.map((branch) => closeBranches(branch, root, known));
  const { $ref } = value;
  const target = $ref ? root.definitions[$ref.split('/').at(-1)] : value;
  return closeNode(target, root, known);
}

function fieldsOf(branch, root) {
  if (branch.$ref) return fieldsOf(root.definitions[branch.$ref.split('/').at(-1)], root);
  const inner = BRANCHES.flatMap((keyword) => branch[keyword] ?? []).flatMap((one) => fieldsOf(one, root));
  return [...Object.keys(branch.properties ?? {}), ...inner];
}

function compileValidator({ name, schema, also_known: alsoKnown }) {
  const ajv = new Ajv({
    ...AJV_OPTIONS,
    code: { source: true, esm: true, lines: true, formats: _`require("formats")` },
  });
  for (const format of ['uuid', 'date-time']) ajv.addFormat(format, () => true);
  ajv.addSchema({ ...schema, $id: 'plain' });
  ajv.addSchema({ ...closeObjects(schema, alsoKnown), $id: 'strict' });
  const code = standaloneCode.default(ajv, { validate: 'plain', validateStrict: 'strict' });
  return BANNER + importsInsteadOfRequire(name, code);
}

/** Ajv writes require() even into ES modules; both things it requires are ours. */
function importsInsteadOfRequire(name, code) {
  const module = code
    .replaceAll('require("ajv/dist/runtime/ucs2length").default', 'codePointLength')
    .replaceAll('require("formats")', 'formats');
  if (module.includes('require(')) throw new Error(`${name}: the validator needs a module that is not mapped`);
  const needs = [
    module.includes('codePointLength') && "import { codePointLength } from '../../shared/code-point-length.js';",
    /\bformats\b[.[]/.test(module) && "import { formats } from '../../shared/formats.js';",
  ];
  return [...needs.filter(Boolean), module].join('\n');
}

async function compileType({ type, schema }) {
  return compile({ ...schema, title: type }, type, {
    bannerComment: BANNER.trim(),
    additionalProperties: true,
    unreachableDefinitions: true,
    enableConstEnums: false,
    style: { singleQuote: true, printWidth: 120 },
  });
}

/** File name → content, without writing: the staleness test compares this with what is on disk. */
export async function generateTypes(entries = readSchemas()) {
  const files = {};
  for (const entry of entries) files[`${entry.name}.ts`] = await compileType(entry);
  return files;
}

export function generateValidators(entries = readSchemas()) {
  const files = {};
  for (const entry of entries) {
    files[`${entry.name}.js`] = compileValidator(entry);
    files[`${entry.name}.d.ts`] =
      `${BANNER}import type { Validate } from '../../shared/contract.js';\n` +
      'export declare const validate: Validate;\nexport declare const validateStrict: Validate;\n';
  }
  const schemas = Object.fromEntries(entries.map(({ name, schema }) => [name, schema]));
  files['schemas.js'] = `${BANNER}export const schemas = ${JSON.stringify(schemas)};\n`;
  files['schemas.d.ts'] = `${BANNER}export declare const schemas: Readonly<Record<string, object>>;\n`;
  return files;
}

function write(folder, files) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [name, content] of Object.entries(files)) writeFileSync(path.join(folder, name), content);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const entries = readSchemas();
  write(path.join(GENERATED, 'types'), await generateTypes(entries));
  write(path.join(GENERATED, 'validators'), generateValidators(entries));
  console.log(`generated types and validators of ${entries.length} schemas`);
}
