import { pathProblem } from '../../contracts/shared/relative-path.js';
import type { Skipped } from './project.js';

/** Folders of what others wrote, or of what is made from the rest. */
const VENDORED_FOLDERS: ReadonlySet<string> = new Set([
  ...['node_modules', 'bower_components', 'jspm_packages', 'vendor', 'vendored', 'third_party', 'thirdparty', 'pods'],
  ...['dist', 'build', 'target', 'out', 'obj', '_build', '.output', 'storybook-static'],
  ...['venv', '.venv', 'virtualenv', 'site-packages', '__pycache__', '.tox', '.nox', '.eggs', '__pypackages__'],
  ...['.mypy_cache', '.pytest_cache', '.ruff_cache', '.ipynb_checkpoints'],
  ...['.git', '.hg', '.svn', '.jj', '.baton', '.idea', '.vs', '.gradle', '.terraform', '.serverless', '.dart_tool'],
  ...['.next', '.nuxt', '.svelte-kit', '.turbo', '.parcel-cache', '.cache', '.yarn', '.pnpm-store', '.angular'],
  ...['coverage', '.nyc_output', 'htmlcov', '.coverage', 'testresults', 'deriveddata'],
]);
/** Of .NET; elsewhere `bin` holds programs that people wrote. */
const BUILT_BIN = /(?:^|\/)bin\/(?:debug|release|x64|x86|net[^/]*)\//i;

const GENERATED_NAMES =
  /\.min\.(?:js|css|mjs)$|[.-]bundle\.js$|\.(?:map|snap|pyc|pyo)$|\.g\.(?:cs|dart)$|\.designer\.cs$|_pb2(?:_grpc)?\.pyi?$|\.pb\.(?:go|cc|h)$|\.generated\.[a-z]+$|\.egg-info\//i;

const BRIDGE_FILES = /^\.(?:agent-request|agent-response|template-create-state)\.json/;

/** Names of files that hold secrets, whatever their text looks like. */
const SECRET_NAMES: readonly RegExp[] = [
  /^\.env/i,
  /\.env$/i,
  /\.(?:pem|key|p12|pfx|jks|keystore|kdbx|ppk|asc|gpg|crt|cer|der|ovpn|tfstate|tfvars|mobileprovision)(?:\.|$)/i,
  /^id_(?:rsa|dsa|ecdsa|ed25519)/i,
  /^\.(?:npmrc|pypirc|netrc|pgpass|my\.cnf|htpasswd|git-credentials|dockercfg|s3cfg|boto|yarnrc|vault-token)/i,
  /^_netrc$/i,
  /^(?:.*[._-])?(?:secrets?|credentials?|passwords?)(?:[._-][^.]*)?\.(?:json|ya?ml|toml|ini|cfg|conf|properties|xml|txt|csv|env|enc)$/i,
  /^credentials$/i,
  /^(?:.*[._-])?service[._-]?account[^/]*\.json$/i,
  /^(?:kubeconfig|local\.settings\.json|google-services\.json|googleservice-info\.plist)$/i,
];
const SECRET_FOLDERS: ReadonlySet<string> = new Set([
  ...['.ssh', '.gnupg', '.aws', '.azure', '.gcloud', '.kube', '.docker', '.secrets', 'secrets'],
]);

const BINARY_EXTENSIONS: ReadonlySet<string> = new Set([
  ...['png', 'jpg', 'jpeg', 'gif', 'bmp', 'ico', 'icns', 'webp', 'avif', 'tif', 'tiff', 'psd', 'heic', 'xcf'],
  ...['mp3', 'mp4', 'm4a', 'wav', 'ogg', 'flac', 'avi', 'mov', 'mkv', 'webm'],
  ...['ttf', 'otf', 'woff', 'woff2', 'eot', 'pdf', 'doc', 'docx', 'xls', 'xlsx', 'ppt', 'pptx', 'odt', 'ods'],
  ...['zip', 'gz', 'tgz', 'bz2', 'xz', 'zst', '7z', 'rar', 'tar', 'jar', 'war', 'ear', 'nupkg', 'whl', 'deb', 'rpm'],
  ...['exe', 'dll', 'so', 'dylib', 'a', 'o', 'lib', 'obj', 'pdb', 'class', 'wasm', 'node', 'bin', 'dat', 'pack'],
  ...['db', 'sqlite', 'sqlite3', 'mdb', 'parquet', 'npy', 'npz', 'pkl', 'pt', 'onnx', 'h5', 'lockb', 'snk'],
]);

/** Why a path is not looked at, decided by its name alone; undefined: it is. */
export function leftOutByName(path: string): keyof Skipped | undefined {
  if (pathProblem(path) !== undefined) return underVendored(path) ? 'vendored' : 'unreadable';
  if (underVendored(path) || BUILT_BIN.test(path) || GENERATED_NAMES.test(path)) return 'vendored';
  if (isSecretBearing(path)) return 'ignored';
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (!path.includes('/') && BRIDGE_FILES.test(name)) return 'ignored';
  const dot = name.lastIndexOf('.');
  return dot > 0 && BINARY_EXTENSIONS.has(name.slice(dot + 1).toLowerCase()) ? 'binary' : undefined;
}

/** A walk does not go into these. */
export function isVendoredFolder(name: string): boolean {
  return VENDORED_FOLDERS.has(name.toLowerCase());
}

function underVendored(path: string): boolean {
  const folders = path.split('/');
  folders.pop();
  return folders.some(isVendoredFolder);
}

/** Called as files are that hold secrets. */
export function isSecretBearing(path: string): boolean {
  const parts = path.split('/');
  const name = parts.pop() ?? '';
  return SECRET_NAMES.some((shape) => shape.test(name)) || parts.some((part) => SECRET_FOLDERS.has(part.toLowerCase()));
}

const LOCK_FILES =
  /(?:^|\/)(?:[^/]*[.-]lock(?:\.(?:json|ya?ml|hcl))?|go\.sum|npm-shrinkwrap\.json|pnpm-lock\.yaml|packages\.lock\.json)$/i;

/** Lock files say what a project is made with; nobody writes them, so nobody is shown them. */
export function isSampled(path: string): boolean {
  return !LOCK_FILES.test(path);
}
