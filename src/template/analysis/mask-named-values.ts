const WORDS =
  'pass(?:word|wd|phrase)|secret|token(?!s)|api[_-]?key|private[_-]?key|access[_-]?key|account[_-]?key|credentials?|connection[_-]?string';
export const NAMED_MASK = '[secret]';

/** `password = "…"`, `"apiKey": '…'`, `--token="…"`, `Secret: string = "…"`: name and sign, quote, value. */
const QUOTED = new RegExp(
  `((?:${WORDS})[a-z0-9_-]{0,40}["'\`]?\\]?[ \\t]{0,8}(?::[ \\t]{0,8}[a-z]{1,20}[ \\t]{0,8})?(?:=>|:=|[:=,])[ \\t]{0,8}[a-z@$]{0,2})(["'\`])([^"'\`\\r\\n]{6,400})\\2`,
  'gi',
);
/** `<password>…</password>` */
const ELEMENT = new RegExp(`(<[\\w.:-]{0,60}(?:${WORDS})[\\w.:-]{0,40}>)()([^<>\\r\\n]{4,400})(?=</)`, 'gi');
/** `db.password=…` and `password: …`, alone on a line: only where values have no quotes. */
const BARE = new RegExp(
  `^([ \\t]{0,40}(?:export[ ]|- )?[\\w.-]{0,60}(?:${WORDS})[\\w.-]{0,40}[ \\t]{0,8}[:=][ \\t]{0,8})()([^\\s"'\`(){}\\[\\]<>$]{4,400})(?=[ \\t]{0,8}$)`,
  'gim',
);

/** What stands for a value, or talks about one: a place to fill in, a sentence, nothing yet. */
const NO_SECRET =
  /^[<{$%[(]|\s|\$\{|\{\{|^(?:your|example|changeme|change-me|placeholder|xxx|\*\*\*|dummy|null|none|undefined|string|true|false)/i;

/** Behind a comma a value may be the second argument, or the next of a list of names. */
const WORD_OF_A_LIST = /^[a-z][a-z_-]{0,30}$/i;
/** Packages are called `jsonwebtoken` and `js-tokens`; what stands behind them is a version. */
const VERSION = /^[~^=<>!v]{0,3}\d{1,9}(?:\.(?:\d{1,9}|[x*])){1,3}(?:[-+][\w.+-]{1,40})?$/;

/** Values that look harmless by themselves and are secret by their name. Code has its values in quotes. */
export function maskNamedValues(text: string, isCode: boolean): string {
  const masked = text.replace(QUOTED, mask).replace(ELEMENT, mask);
  return isCode ? masked : masked.replace(BARE, mask);
}

function mask(all: string, before: string, quote: string, value: string): string {
  const isWord = /,\s*\S{0,2}$/.test(before) && WORD_OF_A_LIST.test(value);
  return isWord || NO_SECRET.test(value) || VERSION.test(value) ? all : `${before}${quote}${NAMED_MASK}${quote}`;
}
