import { type Denial, deny } from './verdict.js';

/** Fields that steer the operator. A JSON object with one of them inside untrusted text is an attempt to give orders. */
export const CONTROL_FIELDS: readonly string[] = [
  'packet_type',
  'ledger_delta',
  'assignments',
  'active_locks',
  'lock_scope',
  'required_output_schema',
  'allow',
];

/** Shapes of credentials that must never travel in notes or worklogs. Each pattern is linear. */
const SECRET_SHAPES: readonly { name: string; pattern: RegExp }[] = [
  { name: 'an AWS access key id', pattern: /AKIA[0-9A-Z]{16}/ },
  { name: 'an Anthropic key', pattern: /sk-ant-/ },
  { name: 'an API key', pattern: /sk-[A-Za-z0-9_-]{20}/ },
  { name: 'a GitHub token', pattern: /ghp_|github_pat_/ },
  { name: 'a private key', pattern: /-----BEGIN [A-Z0-9 ]*PRIVATE KEY/ },
  { name: 'a named secret', pattern: /(?:api[_-]?key|secret|token)\s*[:=]\s*\S/i },
];

export function secretShapeIn(text: string): string | undefined {
  return SECRET_SHAPES.find(({ pattern }) => pattern.test(text))?.name;
}

/** Prose never changes a verdict: only text that IS a JSON object with a control field counts. */
export function controlFieldIn(text: string): string | undefined {
  if (!beginsLikeAnObject(text)) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  return CONTROL_FIELDS.find((field) => Object.hasOwn(value as object, field));
}

const SPACE = 0x20;
const OPEN_BRACE = 0x7b;

/** JSON allows only four kinds of space, none above U+0020. */
function beginsLikeAnObject(text: string): boolean {
  let index = 0;
  while (text.charCodeAt(index) <= SPACE) index += 1;
  return text.charCodeAt(index) === OPEN_BRACE;
}

export function refuseControl(text: string, path: string): true | Denial {
  const field = controlFieldIn(text);
  return field === undefined || controlDenial(path, field);
}

/** As `refuseControl` for each of a list, without building paths for texts that are fine. */
export function refuseControlIn(texts: readonly string[], path: (index: number) => string): true | Denial {
  for (let index = 0; index < texts.length; index += 1) {
    const field = controlFieldIn(texts[index] as string);
    if (field !== undefined) return controlDenial(path(index), field);
  }
  return true;
}

function controlDenial(path: string, field: string): Denial {
  return deny('UNTRUSTED_CONTEXT_BLOCK', `${path} holds a JSON object with the control field "${field}"`, {
    path,
    field,
  });
}

/** The reason names the shape, never the text: a verdict must not leak what it refuses. */
export function refuseSecret(text: string, path: string): true | Denial {
  const shape = secretShapeIn(text);
  return (
    shape === undefined || deny('UNTRUSTED_CONTEXT_BLOCK', `${path} looks like it holds ${shape}`, { path, shape })
  );
}

export function firstDenial(verdicts: Iterable<true | Denial>): true | Denial {
  for (const verdict of verdicts) if (verdict !== true) return verdict;
  return true;
}
