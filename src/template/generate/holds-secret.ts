import { findShapes } from '../../engine/scrub/shape-finder.js';

const SETTINGS_FILE = /\.(?:json|jsonc|ya?ml|toml|ini|cfg|conf|properties|xml|config)$/i;
/** `"db_password": "…"`, `api-key = …`, `<add key="Secret" value="…"`. */
const NAMED =
  /(?:password|passwd|secret|api[_-]?key|access[_-]?key|private[_-]?key|auth[_-]?token|access[_-]?token)["']?\s*(?:[:=]|value=)\s*["']?([^\s"',;<>]{8,})/gi;
/** Names, references and examples stand where a secret would. */
const NO_VALUE =
  /^[$%{<*]|\$\{|\{\{|^(?:your|change|example|dummy|placeholder|secret|password|xxx|null|none|true|false)|^[\w.-]*\(/i;
const SECRET_FILE = /(?:^|\/)(?:\.env[^/]*|[^/]*\.env|id_[rd]sa[^/]*|[^/]*\.(?:pem|key|p12|pfx|jks|keystore))$/i;

/** Whether a file must never become a part of a template. */
export function holdsSecret(path: string, text: string | undefined): boolean {
  if (SECRET_FILE.test(path)) return true;
  if (text === undefined) return false;
  if (findShapes(text).length > 0) return true;
  if (!SETTINGS_FILE.test(path)) return false;
  for (const [, value = ''] of text.matchAll(NAMED)) if (!NO_VALUE.test(value)) return true;
  return false;
}
