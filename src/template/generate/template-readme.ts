import type { Manifest } from './manifest.js';
import type { Placeholder } from './placeholders.js';
import type { TemplateSettings } from './settings.js';

/** README.md of a template: what it is and how it is used. */
export function templateReadme(manifest: Manifest, settings: TemplateSettings, agents: readonly string[]): string {
  const { name, placeholders, layers, patterns } = manifest;
  const kind = [manifest.framework, manifest.language].filter((part) => part !== null).join(', ');
  const setting = placeholders.map(({ name: key, default: value }) => ` --set ${key}=${shellWord(value)}`).join('');
  const parts = [
    `# ${oneLine(name)}`,
    `A template${kind ? ` (${oneLine(kind)})` : ''}, made from the project ${oneLine(manifest.source_project)}.`,
    `\`\`\`sh\nbaton template apply ${name} --to DIR${setting}\n\`\`\``,
    ['| Value | Default | What it is |', '|---|---|---|', ...placeholders.map(placeholderRow)].join('\n'),
    ...section(
      'Layers',
      layers.map(({ name: layer, folders }) => `${layer}: ${folders.join(', ')}`),
    ),
    ...section('Patterns', patterns),
    ...section(
      'Commands',
      Object.entries(settings.commands).map(([what, command]) => `${what}: \`${command}\``),
    ),
    ...section(
      'Agents',
      agents.map((file) => `[${file}](agents/${file})`),
    ),
    ...(agents.length > 0 ? ['Agents are not copied by `apply`: read them, then copy those you want.'] : []),
  ];
  return `${parts.join('\n\n')}\n`;
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`## ${title}`, lines.map((line) => `- ${oneLine(line)}`).join('\n')];
}

function placeholderRow({ name, default: value, description }: Placeholder): string {
  return `| ${[name, value, description].map((cell) => oneLine(cell).replaceAll('|', '\\|')).join(' | ')} |`;
}

function oneLine(text: string): string {
  return text.replace(/\p{C}+|\s+/gu, ' ').trim();
}

function shellWord(value: string): string {
  return /^[\w.-]+$/.test(value) ? value : `'${value.replaceAll("'", `'\\''`)}'`;
}
