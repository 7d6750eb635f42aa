import type { Node } from 'web-tree-sitter';
import type { Redirect, SimpleCommand } from '../../core/policy/shell-reading.js';
import { checkHereDocument, checkHereString, readFileRedirect } from './read-redirect.js';
import { resolveWord } from './resolve-word.js';
import { UnreadableLine, unreadable } from './unreadable.js';

const NESTED_MAX = 40;
const SEPARATORS = new Set([';', '\n', '&', '&&', '||', '|', '|&', '(', ')', '{', '}', '!']);
const BLANK = /^[ \t\n]*$/;
/** Without a blank beside it the shell would join what it parts. */
const CONTINUED = /^(?:[ \t\n]|\\\n)*[ \t](?:[ \t\n]|\\\n)*$/;
/** Words that the grammar gives no name. */
const OPERATOR_WORDS = new Set(['==', '=~', '!=', '=']);

/** What the commands so far leave to those behind them. */
export type Setting = { folder: string | null; sets: readonly string[] };
export type Call = Pick<SimpleCommand, 'argv' | 'openFrom' | 'redirects' | 'sets'>;
type Span = { startIndex: number; endIndex: number };
type Start = (call: Call, setting: Setting) => void;

/** Goes through the tree of one script and tells which commands it starts, in order. */
export class ScriptWalk {
  private readonly source: string;
  private readonly start: Start;
  private nested = 0;

  constructor(source: string, start: Start) {
    this.source = source;
    this.start = start;
  }

  whole(root: Node, setting: Setting): void {
    checkGaps(this.source, 0, this.source.length, root.children);
    this.sequence(root.children, setting);
  }

  /** A folder that was changed counts only for what runs when that went well: after `;` nobody knows. */
  private sequence(nodes: readonly Node[], setting: Setting): void {
    for (const node of nodes) {
      const { folder } = setting;
      this.statement(node, setting, []);
      if (setting.folder !== folder) setting.folder = null;
    }
  }

  /** The beginning of a command in a line that is not understood: something may be forbidden by that alone. */
  beginning(node: Node, setting: Setting): void {
    const spans: Span[] = [];
    for (const child of node.children) {
      if (child.type === 'command_name' || spans.length > 0) addSpan(spans, child);
    }
    const argv: string[] = [];
    try {
      for (const { startIndex, endIndex } of spans) {
        const { text, open } = resolveWord(this.source.slice(startIndex, endIndex));
        if (open) break;
        argv.push(text);
      }
    } catch (failure) {
      if (!(failure instanceof UnreadableLine)) throw failure;
    }
    if (argv.length === 0) return;
    this.start({ argv, openFrom: argv.length, redirects: [], sets: [] }, setting);
  }

  private command(node: Node, setting: Setting, redirects: readonly Redirect[]): void {
    const spans: Span[] = [];
    const opened = [...redirects];
    const sets: string[] = [];
    checkGaps(this.source, node.startIndex, node.endIndex, node.children);
    for (const child of node.children) {
      if (child.type === 'variable_assignment') sets.push(assigned(child, this.source));
      else if (child.type === 'file_redirect') pushIf(opened, readFileRedirect(child));
      else if (child.type === 'herestring_redirect') checkHereString(child);
      else if (child.isNamed || OPERATOR_WORDS.has(child.type)) addSpan(spans, child);
      else unreadable('syntax', `${JSON.stringify(child.text)} is not understood here`);
    }
    const words = spans.map(({ startIndex, endIndex }) => resolveWord(this.source.slice(startIndex, endIndex)));
    const [first] = words;
    if (first && !first.quoted) refuseReserved(first.text);
    const openFrom = words.findIndex(({ open }) => open);
    const argv = words.map(({ text }) => text);
    this.start({ argv, openFrom: openFrom < 0 ? null : openFrom, redirects: opened, sets }, setting);
  }

  private statement(node: Node, setting: Setting, redirects: readonly Redirect[]): void {
    this.nested += 1;
    if (this.nested > NESTED_MAX) unreadable('limit', `it is nested more than ${NESTED_MAX} deep`);
    this.statementInside(node, setting, redirects);
    this.nested -= 1;
  }

  private statementInside(node: Node, setting: Setting, redirects: readonly Redirect[]): void {
    const { type, children } = node;
    if (!node.isNamed && SEPARATORS.has(type)) return;
    if (type === 'comment') return;
    if (type === 'command') {
      this.command(node, setting, redirects);
      return;
    }
    checkGaps(this.source, node.startIndex, node.endIndex, children);
    switch (type) {
      case 'list':
        this.list(children, setting, redirects);
        break;
      case 'pipeline':
        this.apart(children, setting, redirects);
        break;
      case 'subshell':
        this.inside(children, { ...setting }, redirects);
        break;
      case 'compound_statement':
        // To a shell `{}` and `{a` are words.
        if (!/^\{\s/.test(node.text)) unreadable('syntax', 'a brace stands inside a word');
        this.inside(children, setting, redirects);
        break;
      case 'negated_command':
        this.inside(children, setting, redirects);
        break;
      case 'redirected_statement':
        this.redirected(node, setting, redirects);
        break;
      case 'variable_assignment':
        setting.sets = [...setting.sets, assigned(node, this.source)];
        break;
      case 'variable_assignments':
        setting.sets = [...setting.sets, ...node.namedChildren.map((child) => assigned(child, this.source))];
        break;
      case 'declaration_command':
        setting.sets = [...setting.sets, ...exported(children, this.source)];
        break;
      default:
        unreadable('control-flow', `${type.replaceAll('_', ' ')} is not understood`);
    }
  }

  private inside(nodes: readonly Node[], setting: Setting, redirects: readonly Redirect[]): void {
    const [first, ...rest] = nodes.filter((node) => node.isNamed || !SEPARATORS.has(node.type));
    if (!first) unreadable('syntax', 'nothing stands between brackets');
    const { folder } = setting;
    this.statement(first, setting, redirects);
    if (setting.folder !== folder && rest.length > 0) setting.folder = null;
    this.sequence(rest, setting);
  }

  /** What comes behind `||` runs when the left side went wrong, and perhaps not at all. */
  private list(nodes: readonly Node[], setting: Setting, redirects: readonly Redirect[]): void {
    const [left, operator, right, ...more] = nodes;
    if (!left || !operator || !right || more.length > 0) unreadable('syntax', 'a list is not whole');
    const { folder } = setting;
    this.statement(left, setting, redirects);
    if (operator.type !== '&&' && setting.folder !== folder) setting.folder = null;
    const before = setting.folder;
    this.statement(right, setting, []);
    if (operator.type !== '&&' && setting.folder !== before) setting.folder = null;
  }

  /** Each part has a shell of its own, in most shells: whether a change stays is not known. */
  private apart(nodes: readonly Node[], setting: Setting, redirects: readonly Redirect[]): void {
    const { folder } = setting;
    let left = redirects;
    let changed = false;
    for (const node of nodes) {
      const own = { ...setting };
      this.statement(node, own, left);
      if (node.isNamed) left = [];
      changed ||= own.folder !== folder;
    }
    if (changed) setting.folder = null;
  }

  private redirected(node: Node, setting: Setting, outer: readonly Redirect[]): void {
    const redirects = [...outer];
    const behind: Node[] = [];
    for (const child of node.childrenForFieldName('redirect')) {
      if (child?.type === 'file_redirect') pushIf(redirects, readFileRedirect(child));
      else if (child?.type === 'herestring_redirect') checkHereString(child);
      else if (child?.type === 'heredoc_redirect') behind.push(...this.hereDocument(child, redirects));
      else unreadable('syntax', 'a redirection is not understood');
    }
    const body = node.childForFieldName('body');
    if (body) this.statement(body, setting, redirects);
    else this.start({ argv: [], openFrom: null, redirects, sets: [] }, setting);
    if (behind.length > 0) setting.folder = null;
    this.sequence(behind, setting);
  }

  /** Commands may stand on the line that a here-document begins on. */
  private hereDocument(node: Node, redirects: Redirect[]): Node[] {
    checkHereDocument(node, this.source);
    return node.children.filter((child) => {
      if (child.type === 'file_redirect') pushIf(redirects, readFileRedirect(child));
      else if (child.type === 'pipeline' || child.type === 'command') return true;
      else if (child.isNamed && !/^heredoc_(?:start|body|end)$/.test(child.type)) {
        unreadable('syntax', 'what stands behind a here-document is not understood');
      }
      return false;
    });
  }
}

/** The grammar parts some words where the shell sees none: what touches is one word. */
function addSpan(spans: Span[], { startIndex, endIndex }: Span): void {
  const last = spans.at(-1);
  if (last?.endIndex === startIndex) last.endIndex = endIndex;
  else spans.push({ startIndex, endIndex });
}

function pushIf<T>(list: T[], one: T | undefined): void {
  if (one !== undefined) list.push(one);
}

/** Every character counts: what lies between the parts that were understood may only be blank. */
function checkGaps(source: string, from: number, to: number, nodes: readonly Node[]): void {
  let at = from;
  for (const { startIndex, endIndex } of nodes) {
    checkBlank(source.slice(at, startIndex));
    at = endIndex;
  }
  if (nodes.length > 0) checkBlank(source.slice(at, to));
}

function checkBlank(gap: string): void {
  if (!BLANK.test(gap) && !CONTINUED.test(gap)) unreadable('syntax', 'a part of it is not understood');
}

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

function assigned(node: Node, source: string): string {
  const name = node.childForFieldName('name');
  const value = node.childForFieldName('value');
  if (name?.type !== 'variable_name') return unreadable('syntax', 'an assignment is not understood');
  // The grammar takes `?q=` for one; a shell takes it for a program whose name is a pattern.
  const isWhole = name.startIndex === node.startIndex && !/[^\s;&|(]$/.test(source.slice(0, node.startIndex));
  if (!NAME.test(name.text) || !isWhole) unreadable('syntax', 'an assignment is not understood');
  if (/^[^\s;&|)]/.test(source.slice(node.endIndex))) unreadable('syntax', 'an assignment is not understood');
  if (value && resolveWord(value.text).open) unreadable('pattern', `the value of ${name.text} is not known`);
  return name.text;
}

function exported([keyword, ...rest]: readonly Node[], source: string): string[] {
  if (keyword?.type !== 'export')
    return unreadable('definition', `${keyword?.type ?? 'it'} changes how names are read`);
  return rest.map((child) => {
    if (child.type === 'variable_name') return child.text;
    return child.type === 'variable_assignment'
      ? assigned(child, source)
      : unreadable('option', 'export is given an option');
  });
}

const RESERVED =
  /^(?:if|then|else|elif|fi|do|done|case|esac|while|until|for|in|function|select|coproc|\{|\}|!|\[\[|\]\])$/;

function refuseReserved(word: string): void {
  if (RESERVED.test(word)) unreadable('control-flow', `${word} is a word of the shell itself`);
}
