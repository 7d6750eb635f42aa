import { hintFor } from '../../contracts/shared/errors.js';
import type { Verdict } from '../../contracts/shared/verdict.js';
import { printable, printableJson } from '../printable.js';

export type Judged = { contract: string; file: string; line?: number; verdict: Verdict };
export type Format = 'json' | 'text' | 'github' | 'junit';

/** `one` writes a verdict as it comes; `all` writes what needs the whole list. */
type Renderer = { one?(judged: Judged, alone: boolean): string; all?(list: readonly Judged[]): string };

export const RENDERERS: Readonly<Record<Format, Renderer>> = {
  json: { one: asJson },
  text: { one: asText, all: textTotals },
  github: { one: asGithub },
  junit: { all: asJunit },
};

/** A single payload's verdict is the verdict itself; among many it says which one it is of. */
function asJson({ file, line, verdict }: Judged, alone: boolean): string {
  const place = alone ? {} : { file, ...(line !== undefined && { line }) };
  return `${printableJson({ ...verdict, ...place })}\n`;
}

function asText(judged: Judged): string {
  const { verdict } = judged;
  if (verdict.allow) return `ok    ${placeOf(judged)}  ${printable(verdict.reason)}\n`;
  return `FAIL  ${placeOf(judged)}  ${printable(verdict.reason)}. ${verdict.code}\n      ${hintFor(verdict.code, verdict.details)}\n`;
}

function textTotals(list: readonly Judged[]): string {
  const refused = list.filter(({ verdict }) => !verdict.allow).length;
  return list.length === 1 ? '' : `${list.length - refused} allowed, ${refused} refused\n`;
}

/** GitHub's workflow commands end at a line break and split at commas; both are escaped. */
function asGithub({ file, line, verdict }: Judged): string {
  if (verdict.allow) return '';
  const place = [`file=${githubProperty(file)}`, `line=${line ?? lineOf(verdict) ?? 1}`];
  return `::error ${place.join(',')},title=${verdict.code}::${githubData(verdict.reason)}\n`;
}

function lineOf(verdict: Verdict): number | undefined {
  const line = verdict.details?.line;
  return typeof line === 'number' ? line : undefined;
}

function githubData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function githubProperty(text: string): string {
  return githubData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

function asJunit(list: readonly Judged[]): string {
  const refused = list.filter(({ verdict }) => !verdict.allow).length;
  const cases = list.map((judged) => {
    const { contract, verdict } = judged;
    const head = `    <testcase classname="${xml(contract)}" name="${xml(placeOf(judged))}"`;
    if (verdict.allow) return `${head}/>`;
    return `${head}>\n      <failure type="${verdict.code}" message="${xml(verdict.reason)}"/>\n    </testcase>`;
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuites>',
    `  <testsuite name="baton validate" tests="${list.length}" failures="${refused}">`,
    ...cases,
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

function xml(text: string): string {
  return printable(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

function placeOf({ file, line }: Judged): string {
  const name = printable(file === '-' ? 'stdin' : file);
  return line === undefined ? name : `${name}:${line}`;
}
