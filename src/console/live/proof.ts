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

/** Calls when another window of this browser has logged in. */
export function onOtherLogIn(call: () => void): () => void {
  const look = ({ key, newValue }: StorageEvent): void => {
    if (key === KEY && newValue !== null) call();
  };
  addEventListener('storage', look);
  return () => removeEventListener('storage', look);
}
