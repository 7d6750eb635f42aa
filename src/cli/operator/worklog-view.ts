/** The worklog of a run or of one task. What the entries say was written by agents and is quoted. */

import type { WorklogEntry } from '../../contracts/generated/types/worklog-entry.js';
import { grouped } from '../grouped-number.js';
import { printable } from '../printable.js';
import { cell, wrapCells } from './cells.js';
import { inStyle, type ViewStyle } from './view-style.js';

const LABEL = 10;
const INDENT = 10;
const ACTOR_WIDTH = 12;

export function worklogLines(entries: readonly WorklogEntry[], about: string, style: ViewStyle): string[] {
  if (entries.length === 0) return inStyle([`${printable(about)}   nothing was written down yet`], style);
  const several = new Set(entries.map(({ task_id }) => task_id)).size > 1;
  const count = entries.length === 1 ? '1 entry' : `${grouped(entries.length)} entries`;
  const lines = [`${printable(about)}   ${count}, oldest first`];
  let day = '';
  for (const entry of entries) {
    const date = entry.timestamp.slice(0, 10);
    lines.push('');
    if (date !== day) lines.push(date);
    day = date;
    lines.push(...entryLines(entry, several, style.width));
  }
  return inStyle(lines, style);
}

function entryLines(entry: WorklogEntry, several: boolean, width: number): string[] {
  const { timestamp, task_id, actor, action, files_touched, decision, result, next_step, code, evidence } = entry;
  const task = several ? `${task_id}  ` : '';
  const head = `${timestamp.slice(11, 19)}  ${task}${cell(actor, ACTOR_WIDTH)}  `;
  const [first = '', ...rest] = wrapCells(printable(action), width - INDENT, width - head.length);
  return [
    `${head}${first}`.trimEnd(),
    ...rest.map((line) => ' '.repeat(INDENT) + line),
    ...labelled('files', files_touched.map(printable).join(', '), width),
    ...labelled('decision', quoted(decision), width),
    ...labelled('result', quoted(result), width),
    ...labelled('evidence', quoted(evidence ?? ''), width),
    ...labelled('code', code ?? '', width),
    ...labelled('next', quoted(next_step), width),
  ];
}

function quoted(text: string): string {
  return text.trim() === '' ? '' : `"${printable(text).trim()}"`;
}

function labelled(label: string, text: string, width: number): string[] {
  const lines = wrapCells(text, width - INDENT - LABEL);
  return lines.map((line, index) => `${' '.repeat(INDENT)}${(index === 0 ? label : '').padEnd(LABEL)}${line}`);
}
