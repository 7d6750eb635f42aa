/**
 * Shapes of common credentials. They are looked for both in plain text and in serialised JSON, so what they consist of
 * must be what JSON does not escape. Each is linear: after its first characters nothing it has read is read again from
 * another beginning.
 */

/** Tokens: one long word that begins in its own way. */
export type TokenShape = {
  begins: string;
  /** Characters it may not stand after, for beginnings that are also the end of a word: task-12. */
  notAfter?: string;
  goesOn: string;
  /** What is looked for in a single word, when the token goes on behind it. */
  inWord?: string;
};

/** Bounded, since a loop of a regular expression takes stack for each turn; what is longer is no credential. */
const MANY = 99_999;

const LETTER_OR_DIGIT = 'A-Za-z0-9';
const WORD = 'A-Za-z0-9_-';

export const TOKENS: readonly TokenShape[] = [
  { begins: '(?:AKIA|ASIA)', goesOn: '[0-9A-Z]{16}' }, // AWS
  // Anthropic, OpenAI, OpenRouter, Langfuse
  { begins: 'sk-(?:ant|proj|svcacct|admin|or-v1|lf)-', notAfter: LETTER_OR_DIGIT, goesOn: `[${WORD}]{16,${MANY}}` },
  { begins: 'sk-', notAfter: LETTER_OR_DIGIT, goesOn: `[A-Za-z0-9]{20,${MANY}}` }, // OpenAI and those who speak like it
  { begins: 'gh[pousr]_', goesOn: `[A-Za-z0-9]{20,${MANY}}` }, // GitHub
  { begins: 'github_pat_', goesOn: `[A-Za-z0-9_]{20,${MANY}}` },
  {
    begins: 'gl(?:pat|ptt|dt|rt|cbt|soat|ft|imt|agent|oas)-',
    goesOn: `[${WORD}]{20,${MANY}}(?:\\.[0-9a-z]{2}\\.[0-9a-z]{9})?`,
  },
  { begins: 'npm_', goesOn: '[A-Za-z0-9]{36}' },
  { begins: '[rs]k_(?:live|test)_', goesOn: `[A-Za-z0-9]{16,${MANY}}` }, // Stripe
  { begins: 'whsec_', goesOn: `[A-Za-z0-9]{24,${MANY}}` },
  { begins: 'AIza', goesOn: `[${WORD}]{35}` }, // Google
  { begins: 'GOCSPX-', goesOn: `[${WORD}]{28}` },
  { begins: 'hf_', goesOn: `[A-Za-z0-9]{30,${MANY}}` }, // Hugging Face
  { begins: 'xox[abeoprs]-', goesOn: `[A-Za-z0-9-]{10,${MANY}}` }, // Slack
  { begins: 'xapp-[0-9]-', goesOn: `[A-Za-z0-9-]{10,${MANY}}` },
  // A JWT. From every place inside a word it would be quadratic.
  {
    begins: 'eyJ',
    notAfter: WORD,
    goesOn: `(?:[${WORD}]{10,${MANY}}\\.){2}[${WORD}]{10,${MANY}}`,
    inWord: `eyJ[${WORD}]{10}`,
  },
];

/** The shortest first word of a token: Slack's and a JWT's. */
export const TOKEN_WORD_LENGTH_MIN = 13;

/** Credentials known by what is around them; the group is the secret, or all of it if there is none. */
export type ContextShape = {
  /** All must occur. Short and with a rare first letter they are looked for much faster than the shape. */
  hints: readonly string[];
  shapes: readonly string[];
};

const OPAQUE = '[A-Za-z0-9._~+/=:-]';
const QUOTES = '[\\\\"\']{0,8}';
const AUTHORIZATION = `uthorization${QUOTES} {0,4}[:=] {0,4}${QUOTES}`;
/** People write "Authorization: Basic authentication" too. */
const NO_PLAIN_WORD = `(?=[a-z.-]{0,200}[A-Z0-9_+/=:])(${OPAQUE}{8,${MANY}})`;

export const IN_CONTEXT: readonly ContextShape[] = [
  // With a digit, since people also write about bearers of things.
  {
    hints: ['earer '],
    shapes: [
      `[Bb]earer {1,9}(?=[A-Za-z._~+/=:-]{0,200}[0-9])(${OPAQUE}{16,${MANY}})`,
      `${AUTHORIZATION}[Bb]earer {1,9}${NO_PLAIN_WORD}`,
    ],
  },
  { hints: ['Basic '], shapes: [`${AUTHORIZATION}Basic {1,9}${NO_PLAIN_WORD}`] },
  { hints: ['Token '], shapes: [`${AUTHORIZATION}Token {1,9}${NO_PLAIN_WORD}`] },
  // The password of a URL, unless it is a name to be replaced: $PASSWORD, ${PASSWORD}, <password>.
  {
    hints: ['@', '://'],
    shapes: [
      ':\\/\\/[\\w.~!$&*+,;=%-]{0,100}:(?!(?:\\$\\{?\\w{1,100}\\}?|<[\\w -]{1,100}>)@)' +
        '([\\w.~!$&()*+,;=:%@^|{}<>\\u00a1-\\ud7ff-]{1,1000})@[\\w[]',
    ],
  },
  { hints: ['ya29.'], shapes: [`ya29\\.[${WORD}]{20,${MANY}}`] }, // Google
];
