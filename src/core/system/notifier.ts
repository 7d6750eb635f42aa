/** Where people are told that something waits. Secrets are named by their variables, never kept. */
export type KeptNotifier = {
  name: string;
  kind: 'webhook' | 'ntfy' | 'slack' | 'command' | 'desktop';
  url?: string;
  /** The variable with the address, where the address itself is a secret. */
  urlEnv?: string;
  argv?: readonly string[];
  /** The variable with the key that a webhook is signed with. */
  secretEnv?: string;
  /** It may lead to this machine or its network. */
  allowPrivate?: boolean;
};

export const NOTIFIERS_MAX = 20;
