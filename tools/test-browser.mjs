// Installs the browser that tests drive: large, used by nothing else, and never part of the package.
import path from 'node:path';
import { installDependencies, ROOT } from './setup.mjs';

installDependencies(path.join(ROOT, 'test/tools/browser'));
