import { execFile } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { platform } from 'node:os';
import { postSafely } from '../agents/http/post-safely.js';
import type { KeptNotifier } from '../core/system/notifier.js';

/** What people are told. `id` is the same however often it is told. */
export type Notice = { id: string; run_id: string; title: string; at: string; answer: string };
type Environment = Readonly<Record<string, string | undefined>>;

const SEND_MS_MAX = 15_000;
const TITLE_LENGTH_MAX = 200;

/** Tells it once; throws when it cannot. */
export async function sendNotice(to: KeptNotifier, notice: Notice, env: Environment): Promise<void> {
  switch (to.kind) {
    case 'webhook':
      return post(to, env, webhookOf(to, notice, env));
    case 'ntfy':
      return post(to, env, { headers: { title: header(notice.title) }, body: notice.answer });
    case 'slack':
      return post(to, env, json({ text: `${notice.title}\n\`${notice.answer}\`` }));
    case 'command':
      return run(to.argv ?? [], env, JSON.stringify(notice));
    case 'desktop':
      return run(desktopCommand(notice), env, '');
  }
}

/** Signed with its time, so that nobody can send it again later. */
function webhookOf({ secretEnv }: KeptNotifier, notice: Notice, env: Environment) {
  const { headers, body } = json({ type: 'notice', ...notice });
  if (secretEnv === undefined) return { headers, body };
  const secret = env[secretEnv];
  if (!secret) throw new Error(`${secretEnv} is not set`);
  const signature = createHmac('sha256', secret).update(`${notice.at}.${body}`).digest('hex');
  return { headers: { ...headers, 'x-baton-signature': `sha256=${signature}`, 'x-baton-timestamp': notice.at }, body };
}

function json(value: object) {
  return { headers: { 'content-type': 'application/json' }, body: JSON.stringify(value) };
}

async function post(
  { url, urlEnv, allowPrivate = false }: KeptNotifier,
  env: Environment,
  { headers, body }: { headers: Record<string, string>; body: string },
): Promise<void> {
  const address = url ?? env[urlEnv ?? ''];
  if (!address || !URL.canParse(address)) throw new Error(`${urlEnv ?? 'its address'} is no address`);
  const signal = AbortSignal.timeout(SEND_MS_MAX);
  const posted = await postSafely(new URL(address), { headers, body, allowPrivate, signal });
  if (!posted) throw new Error('it leads to this machine or its network; add it with --allow-private');
  if (posted.status < 200 || posted.status >= 300) throw new Error(`it was answered with ${posted.status}`);
}

function run([program = '', ...args]: readonly string[], env: Environment, input: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const options = { timeout: SEND_MS_MAX, env: env as NodeJS.ProcessEnv, maxBuffer: 1024 * 1024 };
    const child = execFile(program, args, options, (failure) => (failure ? reject(failure) : resolve()));
    child.stdin?.on('error', () => {}); // it need not be read
    child.stdin?.end(input);
  });
}

function desktopCommand({ title, answer }: Notice): string[] {
  if (platform() !== 'darwin') return ['notify-send', '--app-name=Baton', '--', title, answer];
  const script = 'on run argv\ndisplay notification (item 2 of argv) with title (item 1 of argv)\nend run';
  return ['osascript', '-e', script, title, answer];
}

/** Headers are one line of Latin letters. */
function header(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, '?').slice(0, TITLE_LENGTH_MAX);
}
