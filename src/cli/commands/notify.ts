import { BatonError } from '../../contracts/shared/errors.js';
import type { KeptNotifier } from '../../core/system/notifier.js';
import type { Baton } from '../../engine/opened-baton.js';
import { splitWords } from '../../settings/split-words.js';
import type { Parsed } from '../command.js';
import { mark } from '../mark.js';
import { type BatonCommand, inBaton } from '../opened-baton.js';
import { textOption } from '../option-values.js';
import { printable, printableJson } from '../printable.js';

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;

export const runNotifyAdd: BatonCommand = (parsed, io, open) =>
  inBaton(open, {}, async (baton) => {
    const notifier = notifierIn(parsed);
    await baton.notifiers.add(notifier, io.env.USER ?? 'cli');
    if (parsed.values.json) io.out(`${printableJson(notifier)}\n`);
    else io.err(`${printable(notifier.name)} is told from now on. Try it: baton notify test ${notifier.name}\n`);
    return 0;
  });

export const runNotifyList: BatonCommand = (parsed, io, open) =>
  inBaton(open, {}, async (baton) => {
    const items = await baton.notifiers.list();
    if (parsed.values.json) io.out(`${printableJson({ items, next: null })}\n`);
    else if (items.length === 0) io.err('Nobody is told. Add somebody: baton notify add NAME --ntfy URL\n');
    for (const one of parsed.values.json ? [] : items) io.out(`${printable(lineOf(one))}\n`);
    return 0;
  });

export const runNotifyTest: BatonCommand = (parsed, io, open) =>
  inBaton(open, {}, async (baton) => {
    const notifier = await named(baton, parsed);
    try {
      await baton.tryNotifier(notifier);
    } catch (problem) {
      const reason = baton.scrub(problem instanceof Error ? problem.message : String(problem));
      throw new BatonError('TOOL_FAILED', `${notifier.name} was not told: ${reason}`, { name: notifier.name });
    }
    if (parsed.values.json) io.out(`${printableJson({ told: notifier.name })}\n`);
    else io.err(`${mark(io, 'ok')} ${printable(notifier.name)} was told.\n`);
    return 0;
  });

export const runNotifyRm: BatonCommand = (parsed, io, open) =>
  inBaton(open, {}, async (baton) => {
    const { name } = await named(baton, parsed);
    await baton.notifiers.remove(name, io.env.USER ?? 'cli');
    if (parsed.values.json) io.out(`${printableJson({ removed: name })}\n`);
    else io.err(`${printable(name)} is told no more.\n`);
    return 0;
  });

async function named({ notifiers }: Baton, { positionals: [name = ''] }: Parsed): Promise<KeptNotifier> {
  const found = (await notifiers.list()).find((one) => one.name === name);
  if (found) return found;
  throw new BatonError('NOTIFIER_NOT_FOUND', `there is no notifier ${JSON.stringify(name)}`, { name });
}

function notifierIn(parsed: Parsed): KeptNotifier {
  const [name = ''] = parsed.positionals;
  if (!NAME.test(name)) throw new BatonError('USAGE', `${JSON.stringify(name)} is no name: letters, digits, . _ -`);
  const [webhook, ntfy, urlEnv, command, secretEnv] = ['webhook', 'ntfy', 'slack-env', 'command', 'secret-env'].map(
    (option) => textOption(parsed, option),
  );
  const ways: KeptNotifier[] = [
    ...(webhook === undefined ? [] : [{ name, kind: 'webhook' as const, url: addressOf(webhook) }]),
    ...(ntfy === undefined ? [] : [{ name, kind: 'ntfy' as const, url: addressOf(ntfy) }]),
    ...(urlEnv === undefined ? [] : [{ name, kind: 'slack' as const, urlEnv }]),
    ...(command === undefined ? [] : [{ name, kind: 'command' as const, argv: splitWords(command, 'command') }]),
    ...(parsed.values.desktop ? [{ name, kind: 'desktop' as const }] : []),
  ];
  const [way, more] = ways;
  if (!way || more) throw new BatonError('USAGE', 'name one of --webhook, --ntfy, --slack-env, --command, --desktop');
  if (secretEnv !== undefined && way.kind !== 'webhook') throw new BatonError('USAGE', '--secret-env is for --webhook');
  return {
    ...way,
    ...(secretEnv !== undefined && { secretEnv }),
    ...(parsed.values['allow-private'] === true && { allowPrivate: true }),
  };
}

function addressOf(text: string): string {
  if (/^https?:/.test(text) && URL.canParse(text)) return text;
  throw new BatonError('USAGE', `${JSON.stringify(text)} is no address: it begins with https://`);
}

function lineOf({ name, kind, url, urlEnv, argv }: KeptNotifier): string {
  return `${name.padEnd(20)} ${kind.padEnd(8)} ${url ?? urlEnv ?? argv?.join(' ') ?? ''}`.trimEnd();
}
