import type { Ports } from '../../src/engine/ports.js';

const nobody = (): Promise<never> => Promise.reject(new Error('this machine has no deeds and composes nothing'));

/** For machines that need neither. */
export const NO_DEEDS: Pick<Ports, 'deeds' | 'composers'> = {
  deeds: { perform: nobody },
  composers: { compose: nobody },
};
