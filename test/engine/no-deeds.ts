import type { Ports } from '../../src/engine/ports.js';

const nobody = (): Promise<never> => Promise.reject(new Error('this machine has no deeds, composes and reads nothing'));

/** For machines that need none of it. */
export const NO_DEEDS: Pick<Ports, 'deeds' | 'composers' | 'readers'> = {
  deeds: { perform: nobody },
  composers: { compose: nobody },
  readers: { read: nobody },
};
