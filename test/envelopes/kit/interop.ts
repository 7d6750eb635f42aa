import path from 'node:path';
import { ServerProcess } from '../../server/server-process.js';
import { KIT, KitHome, ROOT } from './kit-case.js';
import { type Ended, runAsync } from './run-async.js';

const BIN = path.join(ROOT, 'bin/baton.cjs');
const AGENT = 'interop';

/** How the example of a language is started, in its folder. */
export const LANGUAGES = {
  python: { program: 'python3', args: ['example.py'] },
  go: { program: 'go', args: ['run', '.'] },
} as const;
export type Language = keyof typeof LANGUAGES;

/** What every example prints, whatever it is written in. */
export const SAID: readonly string[] = ['program', 'http'].flatMap((way) => [
  `${way}: Baton asks: Of users, or of services?`,
  `${way}: authenticate() checks name and password; open_session() makes the token.`,
  `${way}: 2 of 2 LLM calls are used`,
  `${way}: refused: ENVELOPE_STALE: /agent_hop_count went down from 7 to 0`,
]);

/** Two homes, so that the program does not find the server and each way is tried by itself. */
export async function runExample(language: Language): Promise<Ended> {
  const [alone, served] = [new KitHome(), new KitHome()];
  const server = new ServerProcess(served.env.BATON_HOME, { bin: BIN });
  try {
    await register(alone);
    await register(served);
    await server.start();
    const { program, args } = LANGUAGES[language];
    const env = {
      ...{ ...process.env, ...alone.env, AGENT, WORKSPACE: alone.workspace },
      PYTHONDONTWRITEBYTECODE: '1',
      BATON: JSON.stringify([process.execPath, BIN]),
      ...{ SERVER_URL: server.url, SERVER_TOKEN: server.token },
    };
    return await runAsync(program, args, { cwd: path.join(KIT, language), env });
  } finally {
    await server.stop();
    alone.remove();
    served.remove();
  }
}

async function register({ env }: KitHome): Promise<void> {
  const file = path.join(KIT, 'agents/asks-which.json');
  const args = [BIN, 'agent', 'register', AGENT, '--adapter', 'scripted', '--file', file];
  const { code, err } = await runAsync(process.execPath, args, { env: { ...process.env, ...env } });
  if (code !== 0) throw new Error(`the agent could not be registered: ${err}`);
}
