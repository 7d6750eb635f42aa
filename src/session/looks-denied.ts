import type { SandboxPolicy } from '../core/session/session-messages.js';

const REFUSED =
  /read-only file system|operation not permitted|permission denied|\b(?:EROFS|EACCES|EPERM)\b|not permitted by the sandbox/i;
const UNREACHED =
  /network is unreachable|no route to host|could not resolve|name or service not known|temporary failure in name resolution|\b(?:ENETUNREACH|ENOTFOUND|EAI_AGAIN)\b|failed to (?:resolve|connect)|could not connect/i;

/** Whether a command failed as one fails that a sandbox is in the way of. A guess: who asks again asks a person. */
export function looksDenied(
  { exitCode, stdout, stderr }: { exitCode: number; stdout: string; stderr: string },
  { networkAccess }: SandboxPolicy,
): boolean {
  if (exitCode === 0) return false;
  // Some programs, such as test runners, tell their failures on the other stream.
  const said = stderr.trim() === '' ? stdout : stderr;
  return REFUSED.test(said) || (!networkAccess && UNREACHED.test(said));
}
