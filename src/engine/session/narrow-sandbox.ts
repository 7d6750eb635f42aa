import { BatonError } from '../../contracts/shared/errors.js';
import { pathProblem } from '../../contracts/shared/relative-path.js';
import type { SandboxPolicy } from '../../core/session/session-messages.js';
import { SANDBOX_MODES } from '../../core/session/wider-order.js';
import type { ConfigureOp, OrderSources } from './session-orders.js';

type Sources = Pick<OrderSources, 'placeIn' | 'whyNotWritable' | 'holds'>;

/** The two ports of the web: security narrows what network_access opens, and that is no more. */
const WEB_PORTS = ['', ':443', ':80'];

/** Never wider than what the client's own security leaves. What cannot be kept to is refused, not passed over. */
export async function narrowedSandbox(
  policy: SandboxPolicy,
  { cwd, security }: { cwd: string; security: ConfigureOp['security'] },
  sources: Sources,
): Promise<SandboxPolicy> {
  // The contract wants clients to say a level by now; it is a label of the classification and narrows nothing.
  if (security === undefined || typeof security === 'string') return policy;
  const { sandbox: widest = policy.mode, paths, network: hosts } = security;
  const isWider = SANDBOX_MODES.indexOf(policy.mode) > SANDBOX_MODES.indexOf(widest);
  const narrowed = { ...policy, mode: isWider ? widest : policy.mode };
  for (const [field, wanted] of [['/paths', paths] as const, ['/network', hosts] as const]) {
    if (wanted === undefined) continue;
    if (narrowed.mode === 'danger-full-access') throw notSupported(field, 'commands run without a sandbox');
    if (!(await sources.holds())) throw notSupported(field, 'no sandbox holds on this machine');
  }
  const strange = hosts?.find((host) => !WEB_PORTS.includes(/:\d+$/.exec(host)?.[0] ?? ''));
  if (strange !== undefined) throw notSupported('/network', `${strange} is none of the ports 80 and 443`);
  return {
    ...narrowed,
    // They are outside of what the paths name.
    ...(paths && { paths: await placesOf(paths, cwd, sources), writableRoots: [] }),
    ...(hosts && { hosts }),
  };
}

/** As they are now, like the roots. */
async function placesOf(paths: readonly string[], cwd: string, sources: Sources): Promise<string[]> {
  return Promise.all(
    paths.map(async (path) => {
      const problem = pathProblem(path);
      if (problem !== undefined) throw refusedPath(path, problem);
      const place = await sources.placeIn(cwd, path);
      if (place === undefined) {
        const reason = `there is no file or folder ${path} in ${cwd}, or it is reached through a link`;
        throw new BatonError('INPUT_UNREADABLE', reason, { file: path });
      }
      const because = await sources.whyNotWritable(place);
      if (because !== undefined) throw refusedPath(path, because);
      return place;
    }),
  );
}

function refusedPath(path: string, because: string): BatonError {
  return new BatonError('PATH_REFUSED', `a path of security ${because}: ${JSON.stringify(path)}`, { path });
}

function notSupported(field: string, because: string): BatonError {
  const at = `/op/security${field}`;
  return new BatonError('NOT_SUPPORTED', `${at} cannot be kept to: ${because}`, { path: at });
}
