/** The public library. Later contracts add their services here; today it is the contracts themselves. */
export * from './contracts/index.js';
