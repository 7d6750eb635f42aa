import type { ProjectFile } from '../../contracts/generated/types/project.js';
import { detectMakefile, ECOSYSTEMS, type Folder } from './ecosystems.js';

/** What agents could change to make a failing check pass. */
const TEST_FOLDERS = ['test', 'tests', '__tests__', 'spec', 'e2e', 'cypress', 'src/test'];

export type Detection = { project: ProjectFile; from: readonly string[]; otherSetups: readonly string[] };

export function detectProject(folder: Folder): Detection {
  const found = ECOSYSTEMS.flatMap((detect) => detect(folder) ?? []);
  if (found.every(({ checks }) => checks.length === 0)) found.push(...[detectMakefile(folder) ?? []].flat());
  const [setup, ...otherSetups] = found.flatMap((detected) => detected.setup ?? []);
  const protect = TEST_FOLDERS.filter((name) => folder.has(`${name}/`)).map((name) => `${name}/**`);
  return {
    from: found.map(({ from }) => from),
    otherSetups,
    project: {
      schema_version: '1.0.0',
      ...(setup && { setup }),
      checks: found.flatMap(({ checks }) => checks),
      ...(protect.length > 0 && { protect }),
    },
  };
}
