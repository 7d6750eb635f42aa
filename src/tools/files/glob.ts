/**
 * Which paths a pattern means: `*` and `?` stay within a name, `**` stands for any folders, `{a,b}` for one of several.
 * A pattern without a slash is held against the last name. No regular expression: a pattern comes from an agent, and
 * here its cost is bounded by the lengths of pattern and path.
 */
export function globMatcher(pattern: string): (path: string) => boolean {
  const forms = braces(pattern).map((form) => form.replace(/^\.?\/+/, '').split('/'));
  return (path) => {
    const names = path.split('/');
    return forms.some((form) => pathFits(form, form.length === 1 && form[0] !== '**' ? names.slice(-1) : names));
  };
}

const FORMS_MAX = 64;

/** What is left of the pattern when each `{…}` is replaced by one of its choices; nothing is nested. */
function braces(pattern: string): string[] {
  let forms = [''];
  for (const part of pattern.split(/(\{[^{}]*\})/)) {
    const choices = part.startsWith('{') && part.endsWith('}') ? part.slice(1, -1).split(',') : [part];
    forms = forms.flatMap((form) => choices.map((choice) => form + choice)).slice(0, FORMS_MAX);
  }
  return forms;
}

/** `**` at any place stands for no folder, one or many. */
function pathFits(form: readonly string[], names: readonly string[]): boolean {
  return wildcard(form, names, '**', nameFits);
}

function nameFits(form: string, name: string): boolean {
  return wildcard([...form], [...name], '*', (one, letter) => one === '?' || one === letter);
}

/** Goes back only to the last star: at most the product of both lengths. */
function wildcard(
  form: readonly string[],
  parts: readonly string[],
  star: string,
  fits: (one: string, part: string) => boolean,
): boolean {
  let [at, next] = [0, 0];
  let [starAt, taken] = [-1, 0];
  while (next < parts.length) {
    const [one, part = ''] = [form[at], parts[next]];
    if (one === star) {
      [starAt, taken] = [at, next];
      at += 1;
    } else if (one !== undefined && fits(one, part)) {
      at += 1;
      next += 1;
    } else if (starAt !== -1) {
      taken += 1;
      [at, next] = [starAt + 1, taken];
    } else return false;
  }
  while (form[at] === star) at += 1;
  return at === form.length;
}
