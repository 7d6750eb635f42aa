import type { SessionServer } from '../../contracts/generated/types/config.js';
import { type Argv, argvOf, parseCommandLine } from '../../contracts/shared/command-line.js';

/** A server of the configuration, complete. */
export type ServerSpec = {
  name: string;
  at:
    | { argv: Argv; env: readonly string[] }
    | { url: URL; headerEnv: Readonly<Record<string, string>>; allowPrivate: boolean };
  /** Its tools are used without asking. */
  isAuto: boolean;
  /** It is believed about which of its tools only read. */
  isTrusted: boolean;
};

export function serverSpec(name: string, server: SessionServer): ServerSpec {
  const { command = '', env = [], url, header_env: headerEnv = {}, allow_private: allowPrivate = false } = server;
  const argv = (): Argv => (typeof command === 'string' ? parseCommandLine(command) : argvOf(command));
  return {
    name,
    at: url === undefined ? { argv: argv(), env } : { url: new URL(url), headerEnv, allowPrivate },
    isAuto: server.approve === 'auto',
    isTrusted: server.trust_annotations === true,
  };
}
