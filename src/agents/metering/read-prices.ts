import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { prices } from '../../contracts/baton/prices.js';
import type { LongPrice, Price as OwnPrice } from '../../contracts/generated/types/prices.js';
import { BatonError } from '../../contracts/shared/errors.js';
import { parseFile } from '../../contracts/shared/parse-file.js';
import { KNOWN_PRICES, type Price, type PriceTable } from '../proxy/prices.js';

const MICRO = 1_000_000;

/** The prices Baton comes with, and over them those in `prices.json`, if the home has one. */
export async function readPrices(home: string): Promise<PriceTable> {
  const file = path.join(home, 'prices.json');
  const bytes = await readFile(file).catch(({ code }: NodeJS.ErrnoException) => {
    if (code === 'ENOENT') return undefined;
    throw new BatonError('CONFIG_INVALID', `${file} cannot be read (${code})`, { file });
  });
  if (!bytes) return KNOWN_PRICES;
  const { models } = parseFile(prices, file, bytes);
  const own = Object.entries(models).map(([model, price]) => [model, priceOf(price)]);
  return { ...KNOWN_PRICES, models: { ...KNOWN_PRICES.models, ...Object.fromEntries(own) } };
}

function priceOf({ long, ...rates }: OwnPrice): Price {
  return { ...ratesOf(rates), ...(long && { long: { ...ratesOf(long), above: long.above } }) };
}

function ratesOf(price: Omit<LongPrice, 'above'>) {
  const { input_usd, cached_input_usd = input_usd, cache_write_usd = input_usd, output_usd } = price;
  return {
    input: microUsd(input_usd),
    cached_input: microUsd(cached_input_usd),
    cache_write: microUsd(cache_write_usd),
    long_cache_write: microUsd(price.long_cache_write_usd ?? cache_write_usd),
    output: microUsd(output_usd),
  };
}

function microUsd(usd: number): number {
  return Math.round(usd * MICRO);
}
