import { lstatSync, readdirSync, type Stats } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../../contracts/shared/resource.js';

/** `at` is how the disk spells it, as far as it is there; `facts` are undefined when it is not. */
export type OnDisk = { at: string; facts: Stats | undefined } | { refused: string };

/** Where a resource is, or would be. Nothing is found through a link: it could lead anywhere. */
export function findOnDisk(workspace: string, resource: string): OnDisk {
  const names = resource === ROOT ? [] : resource.split('/');
  let at = '';
  let facts: Stats | undefined = lstatSync(workspace);
  for (const name of names) {
    if (facts && !facts.isDirectory()) return { refused: `${resource}: ${at} is no folder` };
    const spelled: string = facts ? spelling(path.join(workspace, at), name) : name;
    at = path.posix.join(at, spelled);
    facts = facts && lstatSync(path.join(workspace, at), { throwIfNoEntry: false });
    if (facts?.isSymbolicLink()) return { refused: `${resource}: ${at} is a link` };
    if (facts && !facts.isDirectory() && !facts.isFile())
      return { refused: `${resource}: ${at} is neither a file nor a folder` };
  }
  return { at, facts };
}

/** Resources are in NFC; files may be named otherwise. */
function spelling(folder: string, name: string): string {
  if (lstatSync(path.join(folder, name), { throwIfNoEntry: false })) return name;
  return readdirSync(folder).find((other) => other.normalize('NFC') === name) ?? name;
}

/** Everything on the disk that a resource means in any case of letters. */
export function findAnyCase(workspace: string, resource: string): string[] {
  const folded = (name: string): string => name.toUpperCase().normalize('NFC');
  let found = [''];
  for (const name of resource === ROOT ? [] : resource.split('/')) {
    found = found.flatMap((at) => {
      const folder = path.join(workspace, at);
      if (!lstatSync(folder).isDirectory()) return [];
      return readdirSync(folder)
        .filter((other) => folded(other) === folded(name))
        .map((other) => path.posix.join(at, other));
    });
  }
  return found;
}
