/** Everything that may wait for a human, in any contract. */
export type InboxKind =
  | 'intervention'
  | 'approval'
  | 'exec_approval'
  | 'patch_approval'
  | 'clarification'
  | 'confirmation'
  | 'verification'
  | 'blocker'
  | 'limit'
  | 'login'
  | 'landing'
  | 'protected'
  | 'lifecycle';

export type InboxQuestion = {
  /** Names the question within its run; the number people type is given by the store. */
  key: string;
  kind: InboxKind;
  title: string;
  question: string;
  expiresAtMs?: number;
};

export type InboxChange = { open: InboxQuestion } | { close: string };
