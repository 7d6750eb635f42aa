/** A word of a variable's name that says its value is secret. */
const SECRET_WORDS = new Set([
  ...['KEY', 'APIKEY', 'TOKEN', 'SECRET', 'SECRETS', 'PASSWORD', 'PASSWD', 'PASSPHRASE', 'PASS', 'PAT', 'JWT'],
  ...['CREDENTIAL', 'CREDENTIALS', 'AUTH', 'AUTHORIZATION', 'COOKIE', 'DSN', 'PRIVATE'],
]);
/** Also when it is grown together with another word, as in `PGPASSWORD`. */
const SECRET_ENDINGS = /(PASSWORD|PASSWD|SECRET|TOKEN|APIKEY)$/;
/** The value is where the secret lies, or what it is for; not the secret. */
const PLACES = /_(FILE|PATH|DIR|SOCK|SOCKET|ID|NAME|TYPE|HOST|PORT|USER|EMAIL)$/;
const PLACE_NAMES = new Set(['GOOGLE_APPLICATION_CREDENTIALS', 'SSH_AUTH_SOCK']);

/** Values that must never be stored: of variables whose names look secret, and passwords inside addresses. */
export function environmentSecrets(env: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(env).flatMap(([name, value = '']) => {
    if (value === '') return [];
    return looksSecret(name.toUpperCase()) ? [value, ...passwordsIn(value)] : passwordsIn(value);
  });
}

function looksSecret(name: string): boolean {
  if (PLACES.test(name) || PLACE_NAMES.has(name)) return false;
  return SECRET_ENDINGS.test(name) || name.split(/[^A-Z0-9]+/).some((word) => SECRET_WORDS.has(word));
}

/** `postgres://user:password@host`: the address may be shown, the password not. As written, and as it is meant. */
function passwordsIn(value: string): string[] {
  const written = /^[a-z][a-z0-9+.-]*:\/\/[^/@:\s]*:([^/@\s]+)@/i.exec(value)?.[1];
  if (written === undefined) return [];
  try {
    return [written, decodeURIComponent(written)];
  } catch {
    return [written];
  }
}
