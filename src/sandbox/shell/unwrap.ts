import type { SimpleCommand } from '../../core/policy/shell-reading.js';
import { nameOf } from '../../core/policy/system-programs.js';
import { unreadable } from './unreadable.js';

/** What a program starts in its turn: another program, or the text of a script. */
export type Started =
  | { type: 'argv'; argv: readonly string[]; openFrom: number | null; sets: readonly string[]; elsewhere: boolean }
  | { type: 'script'; text: string };

/** `wrapper`: it does nothing but start that. */
export type Unwrapped = { wrapper: boolean; started: readonly Started[] };
type Call = Pick<SimpleCommand, 'argv' | 'openFrom'>;

type Wrapper = {
  /** Options that stand alone. All that are not listed are not understood. */
  alone?: RegExp;
  /** Options that take the next word. */
  taking?: readonly string[];
  /** How many words stand before the program. */
  operands?: number;
  /** NAME=value may stand before the program. */
  assigns?: true;
  /** It does more than start the program: it has to be allowed itself. */
  does?: true;
};

const WRAPPERS: Readonly<Record<string, Wrapper>> = {
  env: { alone: /^(?:-|-i)$/, assigns: true },
  nice: { alone: /^(?:-\d+|-n-?\d+|--adjustment=-?\d+)$/, taking: ['-n'] },
  nohup: {},
  setsid: { alone: /^-[cfw]+$/ },
  ionice: { alone: /^(?:-t|-[cn]\d)$/, taking: ['-c', '-n'] },
  stdbuf: { alone: /^-[ioe](?:L|\d+)$/ },
  timeout: {
    alone: /^(?:-v|-[sk].+|--(?:verbose|foreground|preserve-status|signal=.+|kill-after=.+))$/,
    taking: ['-s', '-k'],
    operands: 1,
  },
  time: { alone: /^-p$/ },
  command: { alone: /^-p$/ },
  builtin: {},
  exec: {},
  sudo: { alone: /^-[nEHkS]+$/, taking: ['-u', '-g'], assigns: true, does: true },
  doas: { alone: /^-n$/, taking: ['-u'], does: true },
  busybox: { does: true },
  toybox: { does: true },
  xargs: { alone: /^(?:-[0rtx]+|-[nLPsI].+|--null|--no-run-if-empty)$/, taking: ['-n', '-L', '-P', '-s', '-I', '-d'] },
};

/** Undefined when it starts nothing, or what it starts is not in its words. */
export function unwrap(call: Call): Unwrapped | undefined {
  const name = nameOf(call.argv[0] ?? '');
  if (['sh', 'bash', 'dash'].includes(name)) return unwrapShell(call);
  if (name === 'find') return unwrapFind(call);
  if (name === 'command' && /^-[vV]$/.test(call.argv[1] ?? '')) return undefined;
  const wrapper = Object.hasOwn(WRAPPERS, name) ? WRAPPERS[name] : undefined;
  if (!wrapper) return undefined;
  const { at, sets } = programOf(call, wrapper, name);
  if (at >= call.argv.length) return undefined;
  const inner = innerCall(call, at, call.argv.length);
  const openFrom = name === 'xargs' ? openedByXargs(call.argv.slice(0, at), inner) : inner.openFrom;
  const started: Started = { type: 'argv', argv: inner.argv, openFrom, sets, elsewhere: false };
  return { wrapper: !wrapper.does, started: [started] };
}

function programOf({ argv }: Call, wrapper: Wrapper, name: string): { at: number; sets: string[] } {
  let at = 1;
  for (let word = argv[at]; word?.startsWith('-'); word = argv[at]) {
    at += wrapper.taking?.includes(word) ? 2 : 1;
    if (word === '--') break;
    if (wrapper.alone?.test(word) || wrapper.taking?.includes(word)) continue;
    unreadable('option', `what ${name} does with ${word} is not known`);
  }
  const sets: string[] = [];
  // To these programs whatever holds a `=` is a variable, even one that no shell would take.
  if (wrapper.assigns) for (; argv[at]?.includes('='); at += 1) sets.push((argv[at] ?? '').replace(/=.*/s, ''));
  return { at: at + (wrapper.operands ?? 0), sets };
}

/** The words of another command inside these. Its program must be known. */
function innerCall({ argv, openFrom }: Call, from: number, to: number): Call {
  if (openFrom !== null && openFrom <= from) unreadable('pattern', 'the program it starts is not known');
  return { argv: argv.slice(from, to), openFrom: openFrom === null || openFrom >= to ? null : openFrom - from };
}

/** Lines of standard input come behind the words, or wherever the mark of `-I` stands. */
function openedByXargs(own: readonly string[], { argv, openFrom }: Call): number {
  const option = own.findIndex((word) => word.startsWith('-I'));
  const mark = own[option] === '-I' ? own[option + 1] : own[option]?.slice(2);
  const marked = mark === undefined ? argv.length : argv.findIndex((word) => word.includes(mark));
  return Math.min(openFrom ?? argv.length, marked < 0 ? argv.length : marked);
}

function unwrapFind(call: Call): Unwrapped | undefined {
  const { argv } = call;
  const started: Started[] = [];
  for (const [index, word] of argv.entries()) {
    if (!/^-(?:exec|ok)(?:dir)?$/.test(word)) continue;
    const length = argv.slice(index + 1).findIndex((one) => one === ';' || one === '+');
    const inner = innerCall(call, index + 1, length < 0 ? argv.length : index + 1 + length);
    const found = inner.argv.findIndex((one) => one.includes('{}'));
    const openFrom = found < 0 ? inner.openFrom : Math.min(found, inner.openFrom ?? found);
    started.push({ type: 'argv', argv: inner.argv, openFrom, sets: [], elsewhere: word.endsWith('dir') });
  }
  return started.length === 0 ? undefined : { wrapper: false, started };
}

const SHELL_SETTINGS = ['pipefail', 'errexit', 'nounset', 'xtrace'];

function unwrapShell({ argv, openFrom }: Call): Unwrapped | undefined {
  let at = 1;
  let isText = false;
  for (let word = argv[at]; word?.startsWith('-') && word !== '-'; word = argv[at]) {
    at += 1;
    if (word === '--') break;
    if (['--norc', '--noprofile', '--login'].includes(word)) continue;
    if (!/^-[eulxco]+$/.test(word)) unreadable('option', `what ${argv[0]} does with ${word} is not known`);
    isText ||= word.includes('c');
    if (!word.includes('o')) continue;
    if (!SHELL_SETTINGS.includes(argv[at] ?? '')) unreadable('option', 'it changes how the shell works');
    at += 1;
  }
  if (!isText) return undefined;
  if (openFrom !== null && openFrom <= at) unreadable('pattern', 'the text it runs is not known');
  const text = argv[at];
  return text === undefined ? undefined : { wrapper: true, started: [{ type: 'script', text }] };
}
