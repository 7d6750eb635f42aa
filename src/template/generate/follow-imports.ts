import path from 'node:path';

/** What the files of a project are called, for finding what an import means. */
export type FileIndex = {
  has(path: string): boolean;
  /** Files directly in a folder; `''` is the project itself. */
  inFolder(folder: string): readonly string[];
  folders(): Iterable<string>;
  /** Name of the Go module, where there is one. */
  goModule?: string;
};

export function indexFiles(paths: Iterable<string>, goModule?: string): FileIndex {
  const known = new Set(paths);
  const folders = new Map<string, string[]>();
  for (const file of known) {
    const folder = folderOf(file);
    const listed = folders.get(folder);
    if (listed) listed.push(file);
    else folders.set(folder, [file]);
  }
  return {
    has: (file) => known.has(file),
    inFolder: (folder) => folders.get(folder) ?? [],
    folders: () => folders.keys(),
    ...(goModule && { goModule }),
  };
}

type Follow = (file: string, text: string, index: FileIndex) => readonly string[];

const SCRIPT = ['.ts', '.tsx', '.js', '.jsx', '.mjs', '.cjs', '.mts', '.cts'];
const SCRIPT_IMPORT =
  /(?:\bfrom\s*|\bimport(?:\s*\(\s*|\s*)|\brequire(?:\.resolve)?\s*\(\s*|\bnew URL\s*\(\s*)["'`](\.{1,2}(?:\/[^"'`\n]*)?)["'`]/g;
const ENDINGS = ['', ...SCRIPT, '.json', '.css', '.scss', '.vue', '.svelte', ...SCRIPT.map((end) => `/index${end}`)];

const FOLLOWERS: Readonly<Record<string, Follow>> = {
  ...Object.fromEntries([...SCRIPT, '.vue', '.svelte'].map((ending) => [ending, followScript])),
  '.py': followPython,
  '.go': followGo,
  '.cs': followCsharp,
  '.java': followJava,
  '.kt': followJava,
  '.rs': followRust,
};

/** Files of the project that this one cannot do without. What lies elsewhere is not followed. */
export function followImports(file: string, text: string, index: FileIndex): readonly string[] {
  const follow = FOLLOWERS[path.posix.extname(file)];
  const found = follow ? follow(file, text, index) : [];
  return [...new Set(found)].filter((other) => other !== file && index.has(other));
}

function followScript(file: string, text: string, index: FileIndex): string[] {
  return [...text.matchAll(SCRIPT_IMPORT)].flatMap(([, wanted = '']) => {
    const target = path.posix.join(folderOf(file), wanted.replace(/[?#].*$/, ''));
    // What is imported as .js is often written in TypeScript.
    const plain = target.replace(/\.([mc]?)jsx?$/, '');
    const found = [...ENDINGS.map((end) => target + end), ...ENDINGS.map((end) => plain + end)].find(index.has);
    return found ? [found] : [];
  });
}

const PYTHON_FROM = /^[ \t]*from[ \t]+(\.*)([\w.]*)[ \t]+import[ \t]+(\([^)]{0,5000}\)|[^\n#]*)/gm;
const PYTHON_IMPORT = /^[ \t]*import[ \t]+([\w., \t]+)/gm;

function followPython(file: string, text: string): string[] {
  const roots = ['', 'src', folderOf(file)];
  const modules: string[] = [];
  for (const [, dots = '', module = '', names = ''] of text.matchAll(PYTHON_FROM)) {
    const bases = dots === '' ? roots : [climb(folderOf(file), dots.length - 1)];
    const tail = module.split('.').filter((part) => part !== '');
    const imported = [...names.matchAll(/(?:^|[(,\s])(\w+)/g)].map(([, name = '']) => name);
    for (const base of bases) {
      const target = path.posix.join(base, ...tail);
      modules.push(target, ...imported.map((name) => path.posix.join(target, name)));
    }
  }
  for (const [, names = ''] of text.matchAll(PYTHON_IMPORT)) {
    const wanted = names.split(',').map((name) => name.trim().split(/\s/, 1)[0]?.split('.') ?? []);
    for (const parts of wanted) modules.push(...roots.map((root) => path.posix.join(root, ...parts)));
  }
  return [...modules.flatMap(pythonFiles), ...packagesAround(file)];
}

function pythonFiles(module: string): string[] {
  return [`${module}.py`, `${module}/__init__.py`, ...packagesAround(module)];
}

/** Being found, a module also needs what makes its folders packages. */
function packagesAround(module: string): string[] {
  const parts = module.split('/').slice(0, -1);
  return parts.flatMap((_, depth) => {
    const folder = parts.slice(0, depth + 1).join('/');
    return [`${folder}/__init__.py`, `${folder}/conftest.py`];
  });
}

/** A package is a folder: its files are compiled together. */
function followGo(file: string, text: string, index: FileIndex): string[] {
  const { goModule } = index;
  const imported = [...text.matchAll(/"([^"\n]+)"/g)].flatMap(([, wanted = '']) => {
    if (goModule === undefined || !(wanted === goModule || wanted.startsWith(`${goModule}/`))) return [];
    return index.inFolder(wanted.slice(goModule.length + 1));
  });
  return [...index.inFolder(folderOf(file)), ...imported].filter((other) => other.endsWith('.go'));
}

/** Namespaces follow folders: `using Acme.Shop.Domain` means the folder whose path ends in as much of it as any does. */
function followCsharp(file: string, text: string, index: FileIndex): string[] {
  const folders = [...index.folders()];
  const used = [...text.matchAll(/^[ \t]*(?:global[ \t]+)?using[ \t]+(?:static[ \t]+)?([A-Z][\w.]*)[ \t]*;/gm)].flatMap(
    ([, namespace = '']) => {
      const parts = namespace.split('.');
      for (let from = 0; from < parts.length; from += 1) {
        const tails = [parts.slice(from).join('/'), parts.slice(from).join('.')];
        const fits = folders.filter((folder) => tails.some((tail) => `/${folder}`.endsWith(`/${tail}`)));
        if (fits.length > 0) return fits;
      }
      return [];
    },
  );
  return [folderOf(file), ...used].flatMap(index.inFolder).filter((other) => other.endsWith('.cs'));
}

function followJava(file: string, text: string, index: FileIndex): string[] {
  const [root = ''] = /^(.*?src\/(?:main|test)\/(?:java|kotlin)|src)(?=\/)/.exec(file) ?? [];
  const roots = [root, root.replace('/test/', '/main/')];
  const ending = path.posix.extname(file);
  const imported = [...text.matchAll(/^[ \t]*import[ \t]+(?:static[ \t]+)?([\w.]+)/gm)].flatMap(([, name = '']) =>
    roots.map((base) => `${path.posix.join(base, ...name.split('.'))}${ending}`),
  );
  return [...imported, ...index.inFolder(folderOf(file)).filter((other) => other.endsWith(ending))];
}

function followRust(file: string, text: string): string[] {
  const stem = path.posix.basename(file, '.rs');
  const folder = folderOf(file);
  const inside = ['mod', 'lib', 'main'].includes(stem) ? folder : path.posix.join(folder, stem);
  const modules = [...text.matchAll(/^[ \t]*(?:pub(?:\([^)\n]*\))?[ \t]+)?mod[ \t]+(\w+)[ \t]*;/gm)].map(
    ([, name = '']) => name,
  );
  const declared = modules.flatMap((name) => [`${inside}/${name}.rs`, `${inside}/${name}/mod.rs`]);
  const used = [...text.matchAll(/\bcrate::(\w+)(?:::(\w+))?/g)].flatMap(([, first = '', second = '']) => [
    ...[`src/${first}.rs`, `src/${first}/mod.rs`, `src/${first}/${second}.rs`, 'src/lib.rs', 'src/main.rs'],
  ]);
  return [...declared, ...used].map((other) => path.posix.normalize(other));
}

function climb(folder: string, levels: number): string {
  return path.posix.join(folder, ...Array.from({ length: levels }, () => '..'));
}

export function folderOf(file: string): string {
  const folder = path.posix.dirname(file);
  return folder === '.' ? '' : folder;
}
