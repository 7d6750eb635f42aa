/** What phase 7 adds to the text of an agent. */
export type Enhancement = {
  examples: readonly Example[];
  always: readonly string[];
  never: readonly string[];
  askFirst: readonly string[];
  relatedFiles: readonly string[];
};

export type Example = { title: string; path: string | null; language: string | null; code: string };

const FIRST_HEADING = '## Examples from the project';

/** The text with its examples, boundaries and files; those of an earlier enhancement are replaced. */
export function enhancedBody(body: string, { examples, always, never, askFirst, relatedFiles }: Enhancement): string {
  const parts = [
    withoutEarlier(body),
    ...(examples.length > 0 ? [FIRST_HEADING, ...examples.map(exampleText)] : []),
    '## Boundaries',
    '### Always',
    list(always),
    '### Never',
    list(never),
    '### Ask first',
    list(askFirst),
    ...(relatedFiles.length > 0 ? ['## Related template files', list(relatedFiles.map((file) => `\`${file}\``))] : []),
  ];
  return parts.join('\n\n');
}

function withoutEarlier(body: string): string {
  const lines = body.split('\n');
  const start = lines.findIndex((line) => line === FIRST_HEADING || line === '## Boundaries');
  return (start === -1 ? body : lines.slice(0, start).join('\n')).trim();
}

function exampleText({ title, path, language, code }: Example): string {
  const fence = fenceFor(code);
  const where = path === null ? '' : `\n\nFrom \`${path}\`:`;
  return `### ${title}${where}\n\n${fence}${(language ?? '').toLowerCase().replace(/[^a-z0-9]/g, '')}\n${code}\n${fence}`;
}

/** Longer than every row of backticks inside, so that the code cannot end it. */
function fenceFor(code: string): string {
  const longest = (code.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 2);
  return '`'.repeat(longest + 1);
}

function list(lines: readonly string[]): string {
  return lines.map((line) => `- ${line}`).join('\n');
}
