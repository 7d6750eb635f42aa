import { pathProblem } from '../../contracts/shared/relative-path.js';
import { stop } from '../tool.js';

/** A path that a step names, without `.` and empty parts; refused by its text alone where that leads elsewhere. */
export function checkedPath(path: string): string {
  if (path === '.' || path === './') return '';
  const because = pathProblem(path);
  if (because !== undefined) refusePath(path, because);
  const names = path.split('/').filter((name) => name !== '' && name !== '.');
  return names.join('/');
}

export function refusePath(path: string, because: string): never {
  return stop('PathRefused', `the path ${JSON.stringify(path.slice(0, 200))} ${because}`);
}
