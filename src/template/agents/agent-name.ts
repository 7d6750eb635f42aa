/** Names that some systems give to devices: a file cannot have them. */
const DEVICES = /^(?:con|prn|aux|nul|com\d|lpt\d)$/;
const NAME_LENGTH_MAX = 60;

/** Kebab-case, and so safe as the name of a file. */
export function isAgentName(name: string): boolean {
  return name.length <= NAME_LENGTH_MAX && /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/.test(name) && !DEVICES.test(name);
}

const SPELLED: readonly [RegExp, string][] = [
  [/c\+\+/g, 'cpp'],
  [/c#/g, 'csharp'],
  [/f#/g, 'fsharp'],
  [/\basp\.net/g, 'aspnet'],
  [/^\.net|\s\.net/g, ' dotnet'],
  [/\.js\b/g, 'js'],
  [/&/g, ' and '],
];

/** A technology or pattern as a part of a name; empty when nothing of it can be. */
export function kebab(text: string): string {
  let spelled = text.normalize('NFKD').toLowerCase();
  for (const [sign, word] of SPELLED) spelled = spelled.replace(sign, word);
  const words = spelled.match(/[a-z0-9]+/g) ?? [];
  return words
    .join('-')
    .slice(0, 40)
    .replace(/-$/, '')
    .replace(/^(?=\d)/, 'v');
}
