import path from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take long, the longest folder first: whoever begins one of these last keeps one worker waiting. */
const LONGEST = ['test/faults/', 'test/agents/', 'test/browser/', 'test/jobs/', 'test/bridge/', 'test/session/'];

/** A fresh clone knows nothing of how long files take, and would begin with the largest. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const file = path.relative(this.ctx.config.root, moduleId);
      const place = LONGEST.findIndex((folder) => file.startsWith(folder));
      return place === -1 ? LONGEST.length : place;
    };
    return [...files].sort((a, b) => rank(a) - rank(b) || (a.moduleId < b.moduleId ? -1 : 1));
  }
}
