import type { InboxItem } from '../../client/index.js';

/** Programs and words that take something away, or reach beyond this machine. Rather one too many than one too few. */
const DESTRUCTIVE =
  /(^|[\s;&|(`'"/])(rm|rmdir|unlink|shred|dd|mkfs\S*|truncate|kill|pkill|killall|chmod|chown|sudo|doas|mv|reset|clean|restore|revert|drop|delete|destroy|prune|purge|uninstall|force|format|wipe|eval|exec|xargs|find)(?=$|[\s;&|)'"`])|--(force|hard|delete|prune)\b|(^|[^2&])>(?!&)/i;
const NETWORK =
  /(^|[\s;&|(`'"/])(curl|wget|ssh|scp|sftp|rsync|nc|ncat|telnet|ftp|push|pull|fetch|clone|publish|install|add|deploy|login|docker|podman|kubectl|npx|pip\d?|gh)(?=$|[\s;&|)'"`])|\w+:\/\//i;
const KINDS = new Set(['exec_approval', 'patch_approval']);

/** Why an item cannot be answered together with those that are marked; undefined when it can. */
export function bulkProblem(item: InboxItem, marked: readonly InboxItem[]): string | undefined {
  const { kind, details, barred } = item;
  if (barred !== null) return barred;
  if (!KINDS.has(kind)) return 'only commands and changes are answered together';
  const { command } = details;
  if (typeof command !== 'string') return 'what opens the network is answered by itself';
  if (details.where === 'outside') return 'it leaves the sandbox, so it is answered by itself';
  if (details.session === true && kind === 'patch_approval')
    return 'its change is to be read, so it is answered by itself';
  if (typeof details.again === 'string') return 'it had begun before, so it is answered by itself';
  if (kind === 'exec_approval' && DESTRUCTIVE.test(command))
    return 'it may destroy something, so it is answered by itself';
  if (kind === 'exec_approval' && NETWORK.test(command)) return 'it may use the network, so it is answered by itself';
  const [first] = marked;
  if (!first || first.item === item.item) return undefined;
  if (first.kind !== kind) return 'those that are marked are of another kind';
  if (first.details.agent !== details.agent) return `those that are marked are of ${String(first.details.agent)}`;
  return ruleOf(first) === ruleOf(item) ? undefined : 'those that are marked were asked because of another rule';
}

/** What is said about why differs by the command it names; what stays is the rule. */
function ruleOf({ details }: InboxItem): string {
  const { why, command } = details;
  return typeof why === 'string' ? why.replaceAll(String(command), '').replace(/"[^"]*"|'[^']*'/g, '') : '';
}
