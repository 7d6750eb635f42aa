const WORDS = 'pass(?:word|wd|phrase)?|secret|token|api_?key|private_?key|access_?key|credentials?|connection_?string';

/** `password = "…"`, `"apiKey": '…'`, `--token=…`: known by the name before it. Groups: name with sign, quote, value. */
const NAMED = new RegExp(
  `((?:${WORDS})[a-z0-9_]{0,40}["'\`]?\\]?[ \\t]{0,8}(?::[ \\t]{0,8}[a-z]{1,20}[ \\t]{0,8})?(?:=>|:=|[:=])[ \\t]{0,8}[a-z@$]{0,2})(["'\`])([^"'\`\\r\\n]{6,400})\\2`,
  'gi',
);
const BARE = new RegExp(
  `^([ \\t]{0,40}[\\w.-]{0,60}(?:${WORDS})[\\w.-]{0,40}[ \\t]{0,8}[:=][ \\t]{0,8})([^\\s"'\`({\\[<$]{8,400})[ \\t]{0,8}$`,
  'gim',
);

/** What stands for a value, or talks about one: a place to fill in, a sentence, the name of a variable, a type. */
const NO_SECRET =
  /^[<{$%[(]|\s|\$\{|\{\{|^(?:your|example|changeme|placeholder|xxx|\*\*\*|test|dummy|fake|null|none|undefined|string|true|false)/i;
const LIKELY = /[0-9!#$%&*+/=?@^_~-]/;
export const NAMED_MASK = '[secret]';

/** Values that look harmless by themselves and are secret by their name. */
export function maskNamedValues(text: string): string {
  return text
    .replace(NAMED, (all: string, before: string, quote: string, value: string) =>
      NO_SECRET.test(value) ? all : `${before}${quote}${NAMED_MASK}${quote}`,
    )
    .replace(BARE, (all: string, before: string, value: string) =>
      NO_SECRET.test(value) || !LIKELY.test(value) || /[().;]/.test(value) ? all : `${before}${NAMED_MASK}`,
    );
}
