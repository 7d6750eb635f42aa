import type { CommandSpec } from '../command.js';
import { BASH_DRIVER, FISH_DRIVER, ZSH_DRIVER } from './completion-drivers.js';
import { type CompletionTable, completionTable } from './completion-table.js';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/** A script for one shell: the table of all commands as that shell's own switch, then the code that reads it. */
export function renderCompletion(shell: Shell, specs: readonly CommandSpec[], contracts: readonly string[]): string {
  const table = completionTable(specs, contracts);
  switch (shell) {
    case 'bash':
      return `# eval "$(baton completion bash)"\n${posixTable(table)}${BASH_DRIVER}`;
    case 'zsh':
      return `#compdef baton\n${posixTable(table)}${ZSH_DRIVER}`;
    case 'fish':
      return `${fishTable(table)}${FISH_DRIVER}`;
  }
}

function posixTable(table: CompletionTable): string {
  const rows = [...table].map(([key, words]) => `    ${quote(key)}) echo ${quote(words.join(' '))} ;;`);
  return `_baton_table() {\n  case "$1" in\n${rows.join('\n')}\n    *) return 1 ;;\n  esac\n}\n`;
}

function fishTable(table: CompletionTable): string {
  const rows = [...table].map(([key, words]) => {
    const answer = words.length > 0 ? `printf '%s\\n' ${words.map(quote).join(' ')}` : 'true';
    return `    case ${quote(key)}\n      ${answer}`;
  });
  const unknown = "    case '*'\n      return 1";
  return `function __baton_table\n  switch "$argv[1]"\n${[...rows, unknown].join('\n')}\n  end\nend\n`;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
