// schemas/submission.json, schemas/event.json and the lines in examples/session → the reference part of
// docs/contracts/sessions.md. What stands above its mark is written by hand and kept. Run: npm run generate
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const PAGE = path.join(ROOT, 'docs/contracts/sessions.md');
const MARK = '<!-- Everything below is written by `npm run generate` from schemas/ and examples/session/. -->\n';

/** What is in the contract and not in the product. A row is dropped when its part is built. */
export const NOT_YET = [
  {
    types: ['configure_agent', 'spawn_sub_agent', 'register_agent', 'lifecycle_transition', 'knowledge_update'],
    says: 'Answered with `NOT_SUPPORTED` until agents are built.',
  },
  {
    types: [
      'agent_registered',
      'agent_configured',
      'sub_agent_spawned',
      'knowledge_updated',
      'verification_passed',
      'verification_failed',
      'agent_status_changed',
      'lifecycle_event',
      'cort_trace_available',
      'visualization_init',
      'visualization_step',
      'visualization_end',
    ],
    says: 'Not sent yet.',
  },
];

/** A schema lists values and cannot say what each of them means. */
const VALUES = [
  {
    title: 'Decisions',
    column: 'decision',
    of: ({ submission }) => submission.definitions.ExecApproval.properties.decision.enum,
    means: {
      approved: 'This call, once.',
      approved_for_session: 'This call, and the same again without asking as long as the session lasts.',
      denied: 'Not this call. The model is told, and the task goes on.',
      abort: 'Not this call, and the task stops.',
    },
  },
  {
    title: 'Approval policies',
    column: 'approval_policy',
    of: ({ submission }) => submission.definitions.ConfigureSession.properties.approval_policy.enum,
    means: {
      untrusted:
        'A person is asked about everything that is not known to only read and that no rule allows. Where no sandbox holds, reading is asked about, too; with `danger-full-access`, everything.',
      'on-failure':
        'Everything runs inside the sandbox first. A person is asked when that fails, before it runs outside.',
      'on-request':
        'What the sandbox holds runs without asking. A person is asked when the model wants something done outside.',
      never: 'Nobody is asked. What would need a yes is not done, and the model is told.',
    },
  },
  {
    title: 'Sandbox modes',
    column: 'sandbox_policy.mode',
    of: ({ submission }) => submission.definitions.SandboxPolicy.properties.mode.enum,
    means: {
      'read-only': 'Commands read files and change none.',
      'workspace-write': 'Commands change files in `cwd` and in `writable_roots`.',
      'danger-full-access':
        'No sandbox: a person is asked about everything that touches anything, reading included; what touches nothing (`echo`, `pwd`) runs, but not with `untrusted`. With `never`, it all runs without asking.',
    },
  },
];

/** The page as it must be, given the one that is there: only what follows the mark is made anew. */
export function protocolPage(page, sources = readSources()) {
  const [written, ...rest] = page.split(MARK);
  if (rest.length !== 1) throw new Error(`docs/contracts/sessions.md must have this line once: ${MARK}`);
  return `${written}${MARK}\n${reference(sources).join('\n\n')}\n`;
}

export function readSources(root = ROOT) {
  const read = (file) => readFileSync(path.join(root, file), 'utf8');
  const lines = (file) => read(file).trimEnd().split('\n');
  return {
    submission: JSON.parse(read('schemas/submission.json')),
    event: JSON.parse(read('schemas/event.json')),
    submissions: lines('examples/session/submissions.ndjson'),
    events: lines('examples/session/events.ndjson'),
  };
}

function reference(sources) {
  const { submission, event, submissions, events } = sources;
  const ops = submission.properties.op.oneOf.map((branch) => variantOf(submission, branch));
  const messages = event.properties.msg.allOf.map((branch) => variantOf(event, branch.then));
  const { type, ...everywhere } = event.properties.msg.properties;
  const parts = partsOf(sources, [...ops, ...messages, { node: { properties: everywhere } }]);
  return [
    '## A submission',
    submission.description,
    fieldTable(submission, submission),
    '## An event',
    event.description,
    fieldTable(event, event),
    'Any `msg` may also have:',
    fieldTable({ properties: everywhere }, event),
    ...VALUES.flatMap((values) => valueTable(values, sources)),
    '## Ops',
    overview(ops),
    ...ops.flatMap((variant) => section(variant, submission, exampleOf(variant, submissions, 'op'))),
    '## Events',
    overview(messages),
    ...messages.flatMap((variant) => section(variant, event, exampleOf(variant, events, 'msg'))),
    '## Parts',
    ...[...parts].flatMap(([name, node]) => [
      `### ${name}`,
      node.description,
      fieldTable(node, { definitions: Object.fromEntries(parts) }),
    ]),
  ];
}

function variantOf(schema, { $ref }) {
  const node = schema.definitions[nameIn($ref)];
  const type = node.properties.type.const;
  return { type, node, since: sinceOf(type, node) };
}

function sinceOf(name, { $comment = '' }) {
  const [, version] = /^since (\d+\.\d+\.\d+)$/.exec($comment) ?? [];
  if (!version) throw new Error(`${name} must say in its $comment since when it is there, such as: since 0.1.0`);
  return version;
}

/** The first line of its type, which the examples keep typical. */
function exampleOf({ type }, lines, field) {
  const line = lines.find((text) => JSON.parse(text)[field].type === type);
  if (!line) throw new Error(`examples/session has no line with ${field}.type ${type}`);
  return line;
}

function overview(variants) {
  const rows = variants.map(({ type, node, since }) => [`[\`${type}\`](#${type})`, node.description, since]);
  return table(['type', 'meaning', 'since'], rows);
}

function section({ type, node, since }, schema, example) {
  const notes = NOT_YET.filter(({ types }) => types.includes(type)).map(({ says }) => says);
  const { type: _, ...properties } = node.properties;
  return [
    `### \`${type}\``,
    [node.description, ...notes, `Since ${since}.`].join(' '),
    Object.keys(properties).length === 0 ? 'It has no fields but `type`.' : fieldTable({ ...node, properties }, schema),
    `\`\`\`json\n${example}\n\`\`\``,
  ];
}

function valueTable({ title, column, of, means }, sources) {
  const listed = of(sources);
  if (listed.join() !== Object.keys(means).join()) {
    throw new Error(`${title}: the schema has ${listed.join(', ')}, this table ${Object.keys(means).join(', ')}`);
  }
  return [
    `## ${title}`,
    table(
      [`\`${column}\``, 'meaning'],
      listed.map((value) => [`\`${value}\``, means[value]]),
    ),
  ];
}

/** Definitions that fields point at, and those that these point at, in the order in which they are met. */
function partsOf({ submission, event }, variants) {
  const definitions = { ...event.definitions, ...submission.definitions };
  for (const [name, node] of Object.entries(event.definitions)) {
    const other = submission.definitions[name];
    if (other && JSON.stringify(other) !== JSON.stringify(node)) throw new Error(`${name} means two things`);
  }
  const parts = new Map();
  const visit = (node) => {
    for (const name of referencesIn(node)) {
      if (parts.has(name)) continue;
      parts.set(name, definitions[name]);
      visit(definitions[name]);
    }
  };
  for (const { node } of variants) visit(node);
  return parts;
}

function referencesIn(node) {
  if (typeof node !== 'object' || node === null) return [];
  if (typeof node.$ref === 'string') return [nameIn(node.$ref)];
  return Object.values(node).flatMap(referencesIn);
}

function fieldTable(node, schema) {
  return table(['field', 'type', 'required', 'meaning'], fieldRows(node, schema.definitions));
}

/** Fields of an object that has no name of its own are listed behind it, with its name in front. */
function fieldRows({ properties, required = [] }, definitions, prefix = '') {
  return Object.entries(properties).flatMap(([name, field]) => {
    const { default: otherwise, $comment } = field;
    const { description } = field.$ref ? definitions[nameIn(field.$ref)] : field;
    const fallback = otherwise === undefined ? '' : `default \`${otherwise}\``;
    const meaning = [description, $comment ? `(${$comment})` : ''].filter(Boolean).join(' ');
    const row = [`\`${prefix}${name}\``, typeOf(field), required.includes(name) ? 'yes' : fallback, meaning];
    const isRoot = prefix === '' && (name === 'op' || name === 'msg');
    return field.properties && !isRoot ? [row, ...fieldRows(field, definitions, `${prefix}${name}.`)] : [row];
  });
}

function typeOf(node) {
  if (node.$ref) return `[${nameIn(node.$ref)}](#${nameIn(node.$ref).toLowerCase()})`;
  if (node.const !== undefined) return `\`${node.const}\``;
  if (node.enum) return node.enum.map((value) => `\`${value}\``).join(', ');
  const types = [node.type ?? 'anything'].flat().map((type) => (type === 'array' ? listOf(node) : type));
  return [types.join(' or '), ...limitsOf(node)].join(', ');
}

function listOf({ items }) {
  const kinds = items?.oneOf ?? [items ?? {}];
  return `list of ${kinds.map(typeOf).join(' or ')}`;
}

function limitsOf({ minimum, maximum, minLength, maxLength, pattern }) {
  const range = minimum === undefined ? undefined : maximum === undefined ? `≥ ${minimum}` : `${minimum}–${maximum}`;
  // One character that is no blank is what nearly every text needs: to say so each time would hide the rest.
  const length = maxLength === undefined ? undefined : `${minLength ?? 0}–${maxLength} characters`;
  const shape = pattern && pattern !== '\\S' && pattern.length < 40 ? `\`${pattern}\`` : undefined;
  return [range, length, shape].filter(Boolean);
}

function nameIn(reference) {
  return reference.split('/').at(-1);
}

function table(heads, rows) {
  const line = (cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(heads), `|${heads.map(() => '---|').join('')}`, ...rows.map(line)].join('\n');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(PAGE, protocolPage(readFileSync(PAGE, 'utf8')));
  console.log('wrote the reference in docs/contracts/sessions.md');
}
