// Generated from schemas/ by `npm run generate`. Do not edit.

/**
 * The file prices.json in Baton's own folder: what models cost that Baton knows no price of, or another one. All prices are US dollars for a million tokens.
 */
export interface PricesFile {
  /**
   * Schema for editors; not read by Baton.
   */
  $schema?: string;
  /**
   * Version of this file format. An unknown major version is refused.
   */
  schema_version?: string;
  /**
   * Prices by the name of the model, as requests and answers have it. One that is named here replaces the whole price that Baton knows of it.
   */
  models: {
    [k: string]: Price;
  };
}
/**
 * What a model costs.
 *
 * This interface was referenced by `PricesFile`'s JSON-Schema
 * via the `definition` "Price".
 */
export interface Price {
  /**
   * Input that is not in the cache.
   */
  input_usd: number;
  /**
   * Input from the cache; as other input when left out.
   */
  cached_input_usd?: number;
  /**
   * Input that is written to the cache; as other input when left out.
   */
  cache_write_usd?: number;
  /**
   * Input that is written to stay in the cache for an hour rather than for minutes; as other writes when left out.
   */
  long_cache_write_usd?: number;
  /**
   * Output, reasoning included.
   */
  output_usd: number;
  long?: LongPrice;
}
/**
 * What all of a request costs whose prompt is long.
 *
 * This interface was referenced by `PricesFile`'s JSON-Schema
 * via the `definition` "LongPrice".
 */
export interface LongPrice {
  /**
   * Tokens of a prompt, cached or not, that are not long yet.
   */
  above: number;
  /**
   * Input that is not in the cache.
   */
  input_usd: number;
  /**
   * Input from the cache; as other input when left out.
   */
  cached_input_usd?: number;
  /**
   * Input that is written to the cache; as other input when left out.
   */
  cache_write_usd?: number;
  /**
   * Input that is written to stay in the cache for an hour rather than for minutes; as other writes when left out.
   */
  long_cache_write_usd?: number;
  /**
   * Output, reasoning included.
   */
  output_usd: number;
}
