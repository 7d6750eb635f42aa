/** A text fits the option of that name, with or without a value behind `=`. */
type Option = string | RegExp;

/**
 * A program that only reads, as long as it is called like this. Where options are listed, no others are allowed: what
 * an option that nobody thought of does is not known.
 */
export type SafeProgram = {
  /** How the command begins. */
  argv: readonly [string, ...string[]];
  options?: readonly Option[];
  /** What every other word must look like. */
  operands?: RegExp;
  /** What the first of the other words must look like. */
  firstOperand?: RegExp;
  operandsMax?: number;
  /** It reads no file either, and obeys no settings: harmless even where the whole machine can be seen. */
  touchesNothing?: true;
  /** Words are parted by blanks. Checked when the list is loaded. */
  examples: { safe: readonly string[]; unsafe: readonly string[] };
};

export function fitsSafely(safe: SafeProgram, argv: readonly string[], openFrom: number | null): boolean {
  if (!safe.argv.every((word, index) => argv[index] === word)) return false;
  if (openFrom !== null && (isPicky(safe) || openFrom < safe.argv.length)) return false;
  const { options, operands, firstOperand, operandsMax = Number.POSITIVE_INFINITY } = safe;
  const rest = argv.slice(safe.argv.length);
  const end = rest.indexOf('--');
  const before = end < 0 ? rest : rest.slice(0, end);
  const optional = before.filter((word) => isOption(word));
  const others = [...before.filter((word) => !isOption(word)), ...(end < 0 ? [] : rest.slice(end + 1))];
  return (
    (!options || optional.every((word) => options.some((option) => fitsOption(option, word)))) &&
    (!operands || others.every((word) => operands.test(word))) &&
    (!firstOperand || firstOperand.test(others[0] ?? '')) &&
    others.length <= operandsMax
  );
}

function isPicky({ options, operands, firstOperand, operandsMax }: SafeProgram): boolean {
  return Boolean(options || operands || firstOperand) || operandsMax !== undefined;
}

function isOption(word: string): boolean {
  return word.startsWith('-') && word !== '-';
}

function fitsOption(option: Option, word: string): boolean {
  if (typeof option !== 'string') return option.test(word);
  return word === option || (option.startsWith('--') && word.startsWith(`${option}=`));
}

/** The first example that the list itself contradicts. */
export function wrongExample(list: readonly SafeProgram[]): string | undefined {
  const fits = (line: string): boolean => list.some((safe) => fitsSafely(safe, line.split(' '), null));
  for (const { argv, examples } of list) {
    if (examples.safe.length === 0) return `${argv.join(' ')} has no example`;
    const unsafe = examples.safe.find((line) => !fits(line));
    if (unsafe !== undefined) return `${unsafe} is said to be safe but is not`;
    const safe = examples.unsafe.find(fits);
    if (safe !== undefined) return `${safe} is said to be unsafe but is not`;
  }
  return undefined;
}
