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
  const lines = [...gather(findings).flatMap((row) => renderRow(row, style)), '', ...summary(findings)];
  const text = `${lines.join('\n')}\n`;
  return style.utf8 ? text : toAscii(text);
}

type Row = Omit<Finding, 'topic'> & { label: string };

/** The basics that are well in one row, agents that are not there in another, everything else in its own. */
function gather(findings: readonly Finding[]): Row[] {
  const basics = findings.filter(({ topic, status }) => topic in BASICS && status === 'ok');
  const missing = findings.filter(({ topic, status }) => isKnownAgent(topic) && status === 'absent');
  const rows: Row[] = [];
  if (basics.length > 0) {
    const text = basics.map((finding) => `${BASICS[finding.topic]} ${finding.text}`).join(' · ');
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
  const width = COLUMNS_MAX - indent;
  const overhang = Math.max(0, head.length - LABEL_WIDTH - 1);
  const body = wrapText(printable(text), width - overhang);
  const repair = fix && `fix: ${printable(fix)}`;
  const last = body.at(-1) ?? '';
  if (repair && [...last].length + 3 + [...repair].length <= width - overhang)
    body[body.length - 1] = `${last}   ${repair}`;
  else if (repair) body.push(repair);
  const [first = '', ...rest] = body;
  const painted = picocolors.createColors(colour)[symbol.colour](mark);
  return [`${painted} ${head}${first}`, ...rest.map((line) => ' '.repeat(indent) + line)];
}

function summary(findings: readonly Finding[]): string[] {
  const counts = `${count(findings, 'problem')}, ${count(findings, 'warning')}.`;
  const ready = readyAgents(findings);
  const state = ready.length > 0 ? `Ready: ${ready.join(', ')}.` : 'No agent can work yet.';
  const next = `try: ${nextCommand(findings, ready[0])}`;
  const line = `${counts} ${state}   ${next}`;
  return [...line].length <= COLUMNS_MAX ? [line] : [`${counts} ${state}`, `  ${next}`];
}

function count(findings: readonly Finding[], status: 'problem' | 'warning'): string {
  const number = findings.filter((finding) => finding.status === status).length;
  return `${number || 'no'} ${status}${number > 1 ? 's' : ''}`;
}

/** An agent that is there needs least to work; where there is none, one is installed. */
function nextCommand(findings: readonly Finding[], ready: string | undefined): string {
  if (ready) return `baton run "…" --agent ${ready}`;
  const closest = findings.find(({ topic, status, fix }) => isKnownAgent(topic) && status === 'problem' && fix);
  return closest?.fix?.split(/ {3}or: /)[0] ?? 'npm i -g @openai/codex';
}

function isKnownAgent(topic: string): boolean {
  return KNOWN_AGENTS.some(({ name }) => name === topic);
}

function toAscii(text: string): string {
  return text
    .replaceAll(' · ', ', ')
    .replaceAll('…', '...')
    .replaceAll('–', '-')
    .replace(/[^\x20-\x7e\n\x1b]/gu, '?');
}
