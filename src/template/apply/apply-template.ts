import path from 'node:path';
import { BatonError } from '../../contracts/shared/errors.js';
import { fillTemplate } from './fill-template.js';
import { inUse, isFree, makeFolder } from './new-folder.js';
import { readTemplate } from './read-template.js';
import { chooseValues } from './values.js';

export type Applied = { template: string; to: string; files: number; values: Readonly<Record<string, string>> };

/** Makes a project of a template. `to` is there afterwards as a whole, or as it was. */
export async function applyTemplate(order: {
  folder: string;
  to: string;
  set: ReadonlyMap<string, string>;
}): Promise<Applied> {
  const { folder, to, set } = order;
  const template = readTemplate(folder);
  if (template.files.length === 0) {
    throw new BatonError('TEMPLATE_INVALID', `the template ${folder} holds no files`, { file: 'templates' });
  }
  const values = chooseValues(template.placeholders, set, path.basename(to));
  if (!isFree(to)) throw inUse(to, 'is there already and is not an empty folder');
  const files = await makeFolder(to, (staging) => fillTemplate(template, values, staging));
  return { template: template.name, to, files: files.length, values };
}
