/** Signs for one home. The key never leaves it; what is signed can be judged anywhere with the public key. */
export interface Signer {
  /** This home's public key; undefined as long as it has never signed. Makes nothing. */
  publicKey(): Promise<string | undefined>;
  /** Makes the key on first use. */
  sign(text: (publicKey: string) => string): Promise<{ publicKey: string; signature: string }>;
  /** False for whatever is no valid signature, malformed keys included. */
  verify(text: string, signature: string, publicKey: string): boolean;
}
