/** A provider that makes us wait no longer than this is tried again like a bad network. */
export const PARK_MS_MIN = 60_000;
/** Where a provider does not say when it is ready again. */
export const PARK_MS_DEFAULT = 15 * 60_000;
/** How often somebody tries whether a lost login works again. */
export const LOGIN_LOOK_MS = 60_000;
