import { tokenOrder } from '../../contracts/api/token-order.js';
import type { TokenOrderBody } from '../../contracts/generated/types/token-order.js';
import { parseContract } from '../../contracts/shared/contract.js';
import { BatonError } from '../../contracts/shared/errors.js';
import { atDesk, type DeskCommand } from '../opened-desk.js';
import { textOption } from '../option-values.js';
import { printable, printableJson } from '../printable.js';

export const runTokenCreate: DeskCommand = (parsed, io, open) =>
  atDesk(open, {}, async (desk) => {
    const [role, name, agent] = ['role', 'name', 'agent'].map((option) => textOption(parsed, option));
    if (role === undefined || name === undefined) throw new BatonError('USAGE', 'name --role and --name');
    const order: TokenOrderBody = parseContract(tokenOrder, { role, name, ...(agent !== undefined && { agent }) });
    const token = await desk.tokens.create({ ...order, agent: order.agent ?? null }, io.env.USER ?? 'cli');
    if (parsed.values.json) io.out(`${printableJson({ token, ...order })}\n`);
    else {
      io.out(`${token}\n`);
      io.err(`${printable(name)} may do what ${role} may. It is not shown again.\n`);
    }
    return 0;
  });

export const runTokenList: DeskCommand = (parsed, io, open) =>
  atDesk(open, {}, async (desk) => {
    const tokens = await desk.tokens.list();
    const items = tokens.map(({ name, role, agent, madeAt }) => ({ name, role, agent, created_at: madeAt }));
    if (parsed.values.json) io.out(`${printableJson({ items, next: null })}\n`);
    else if (items.length === 0) io.err('No tokens but the one of this home.\n');
    for (const { name, role, agent, created_at } of parsed.values.json ? [] : items) {
      io.out(printable(`${name.padEnd(24)} ${role.padEnd(13)} ${created_at}${agent === null ? '' : `  for ${agent}`}`));
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
