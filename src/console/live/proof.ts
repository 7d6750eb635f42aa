/** The half of a session that the page keeps. Pages of another port cannot read it, as they could a cookie. */
const KEY = 'baton-proof';

export function keptProof(): string | null {
  return localStorage.getItem(KEY);
}

export function keepProof(proof: string): void {
  localStorage.setItem(KEY, proof);
}

export function forgetProof(): void {
  localStorage.removeItem(KEY);
}
