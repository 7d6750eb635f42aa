import picocolors from 'picocolors';
import { printable } from '../printable.js';
import { wrapText } from '../wrap-text.js';
import { AGENT_TOPICS, KNOWN_AGENTS } from './agents.js';
import type { Finding, Status } from './finding.js';

const COLUMNS_MAX = 80;
const LABEL_WIDTH = 9;

type Style = { utf8: boolean; colour: boolean };

const SYMBOLS: Record<Status, { utf8: string; ascii: string; colour: 'green' | 'red' | 'yellow' | 'dim' }> = {
  ok: { utf8: '✓', ascii: 'ok', colour: 'green' },
  problem: { utf8: '✗', ascii: 'FAIL', colour: 'red' },
  warning: { utf8: '!', ascii: '!', colour: 'yellow' },
  absent: { utf8: '-', ascii: '-', colour: 'dim' },
};

/** Topics that share the first line when they are well. */
const BASICS: Readonly<Record<string, string>> = { node: 'node', git: 'git', sqlite: 'SQLite' };

export function readyAgents(findings: readonly Finding[]): string[] {
  const ready = new Set(findings.filter(({ status }) => status === 'ok').map(({ topic }) => topic));
  return AGENT_TOPICS.filter((topic) => ready.has(topic));
}

export function renderFindings(findings: readonly Finding[], style: Style): string {
  const shown = style.utf8 ? findings : findings.map(inAscii);
  const lines = [
    ...gather(shown, style.utf8 ? ' · ' : ', ').flatMap((row) => renderRow(row, style)),
    '',
    ...summary(shown, style),
  ];
  return `${lines.join('\n')}\n`;
}

type Row = Omit<Finding, 'topic'> & { label: string };

/** The basics that are well in one row, agents that are not there in another, everything else in its own. */
function gather(findings: readonly Finding[], separator: string): Row[] {
  const basics = findings.filter(({ topic, status }) => topic in BASICS && status === 'ok');
  const missing = findings.filter(({ topic, status }) => isKnownAgent(topic) && status === 'absent');
  const rows: Row[] = [];
  if (basics.length > 0) {
    const text = basics.map((finding) => `${BASICS[finding.topic]} ${finding.text}`).join(separator);
    rows.push({ label: '', status: 'ok', text });
  }
  for (const finding of findings) {
    if (basics.includes(finding)) continue;
    if (!missing.includes(finding)) rows.push({ ...finding, label: finding.topic });
    else if (finding === missing.at(-1)) {
      rows.push({ ...finding, label: missing.map(({ topic }) => topic).join(', ') });
    }
  }
  return rows;
}

function renderRow({ label, status, text, fix }: Row, { utf8, colour }: Style): string[] {
  const symbol = SYMBOLS[status];
  const mark = utf8 ? symbol.utf8 : symbol.ascii.padEnd(4);
  const head = label === '' ? '' : `${label.padEnd(LABEL_WIDTH)} `;
  const indent = mark.length + 1 + LABEL_WIDTH + 1;
  const width = COLUMNS_MAX - mark.length - 1 - head.length;
  const body = text.split('\n').flatMap((part) => wrapText(printable(part), width));
  const [first = '', ...rest] = withFix(body, fix, width);
  const painted = picocolors.createColors(colour)[symbol.colour](mark);
  return [`${painted} ${head}${first}`, ...rest.map((line) => ' '.repeat(indent) + line)];
}

/** Beside a single line where there is room, else below. Never broken: it is there to be copied. */
function withFix(body: readonly string[], fix: string | undefined, width: number): readonly string[] {
  if (!fix) return body;
  const repair = `fix: ${printable(fix)}`;
  const beside = `${body[0]}   ${repair}`;
  return body.length === 1 && [...beside].length <= width ? [beside] : [...body, repair];
}

function summary(findings: readonly Finding[], { utf8 }: Style): string[] {
  const counts = `${capital(count(findings, 'problem'))}, ${count(findings, 'warning')}.`;
  const ready = readyAgents(findings);
  const state = ready.length > 0 ? `Ready: ${ready.join(', ')}.` : 'No agent can work yet.';
  const command = nextCommand(findings, ready[0]);
  const next = `try: ${utf8 ? command : toAscii(command)}`;
  const line = `${counts} ${state}   ${next}`;
  return [...line].length <= COLUMNS_MAX ? [line] : [`${counts} ${state}`, `  ${next}`];
}

function count(findings: readonly Finding[], status: 'problem' | 'warning'): string {
  const number = findings.filter((finding) => finding.status === status).length;
  return `${number || 'no'} ${status}${number > 1 ? 's' : ''}`;
}

/** An agent that is there needs least to work; where there is none, one is installed. */
function nextCommand(findings: readonly Finding[], ready: string | undefined): string {
  if (ready) return 'baton init';
  const closest = findings.find(({ topic, status, fix }) => isKnownAgent(topic) && status === 'problem' && fix);
  return closest?.fix?.split(/ {3}or: /)[0] ?? 'npm i -g @openai/codex';
}

function isKnownAgent(topic: string): boolean {
  return KNOWN_AGENTS.some(({ name }) => name === topic);
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function inAscii({ text, fix, ...finding }: Finding): Finding {
  return { ...finding, text: toAscii(text), ...(fix && { fix: toAscii(fix) }) };
}

function toAscii(text: string): string {
  return text.replaceAll('…', '...').replace(/[^ -~\n]/gu, '?');
}
