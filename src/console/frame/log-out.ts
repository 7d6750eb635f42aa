import { client } from '../live/client.js';
import { forgetProof } from '../live/proof.js';
import { goTo } from './address.js';

export async function logOut(): Promise<void> {
  await client.console.logOut();
  forgetProof();
  goTo('/login');
}
