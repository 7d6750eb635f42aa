import { tokenOrder } from '../../contracts/api/token-order.js';
import type { TokenOrderBody } from '../../contracts/generated/types/token-order.js';
import { parseContract } from '../../contracts/shared/contract.js';
import { BatonError } from '../../contracts/shared/errors.js';
import { tokenIn } from '../../engine/access/token-service.js';
import type { Desk } from '../../engine/desk.js';
import { parseMinutes } from '../job/amounts.js';
import { atDesk, type DeskCommand } from '../opened-desk.js';
import { textOption } from '../option-values.js';
import { printable, printableJson } from '../printable.js';

const MINUTE_MS = 60_000;

export const runTokenCreate: DeskCommand = (parsed, io, open) =>
  atDesk(open, {}, async (desk) => {
    const [role, name, agent] = ['role', 'name', 'agent'].map((option) => textOption(parsed, option));
    if (role === undefined || name === undefined) throw new BatonError('USAGE', 'name --role and --name');
    const expires = textOption(parsed, 'expires');
    const order: TokenOrderBody = parseContract(tokenOrder, {
      ...{ role, name },
      ...(agent !== undefined && { agent }),
      ...(expires !== undefined && { expires_at: inTime(desk, parseMinutes(expires, 'expires')) }),
    });
    const token = await desk.tokens.create(tokenIn(order), io.env.USER ?? 'cli');
    if (parsed.values.json) io.out(`${printableJson({ token, ...order })}\n`);
    else {
      io.out(`${token}\n`);
      const until = order.expires_at === undefined ? '' : ` until ${order.expires_at}`;
      io.err(`${printable(name)} may do what ${role} may${until}. It is not shown again.\n`);
    }
    return 0;
  });

export const runTokenList: DeskCommand = (parsed, io, open) =>
  atDesk(open, {}, async (desk) => {
    const tokens = await desk.tokens.list();
    const items = tokens.map(({ name, role, agent, madeAt, expiresAt }) => ({
      ...{ name, role, agent, created_at: madeAt, expires_at: expiresAt ?? null },
    }));
    if (parsed.values.json) io.out(`${printableJson({ items, next: null })}\n`);
    else if (items.length === 0) io.err('No tokens but the one of this home.\n');
    for (const { name, role, agent, created_at, expires_at } of parsed.values.json ? [] : items) {
      const more = `${agent === null ? '' : `  for ${agent}`}${expires_at === null ? '' : `  until ${expires_at}`}`;
      io.out(printable(`${name.padEnd(24)} ${role.padEnd(13)} ${created_at}${more}`));
      io.out('\n');
    }
    return 0;
  });

export const runTokenRevoke: DeskCommand = (parsed, io, open) =>
  atDesk(open, {}, async (desk) => {
    for (const name of parsed.positionals) {
      await desk.tokens.revoke(name, io.env.USER ?? 'cli');
      if (!parsed.values.json) io.err(`${printable(name)} has no token any more.\n`);
    }
    if (parsed.values.json) io.out(`${printableJson({ revoked: parsed.positionals })}\n`);
    return 0;
  });

function inTime({ clock }: Desk, minutes: number): string {
  return new Date(clock.nowMs() + minutes * MINUTE_MS).toISOString();
}
