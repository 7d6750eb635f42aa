import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { driverByAddress, planting, type SourceBug } from './build-plugins.js';

export type Programs = { worker: string; client: string; appender: string; examiner: string; writerUrl: string };

/** Bundles of the programs in a folder, from where packages would not be found by name. */
export async function buildPrograms(root: string, folder: string, bug?: SourceBug): Promise<Programs> {
  const programs = path.join(root, 'test/faults/programs');
  await build({
    entryPoints: {
      worker: path.join(programs, 'worker.ts'),
      client: path.join(programs, 'client.ts'),
      appender: path.join(programs, 'appender.ts'),
      examiner: path.join(programs, 'examiner.ts'),
      'writer-worker': path.join(root, 'src/store/sqlite/writer-worker.ts'),
    },
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    logLevel: 'warning',
    plugins: [driverByAddress(root), ...(bug ? [planting(root, bug)] : [])],
  });
  const at = (name: string): string => path.join(folder, `${name}.mjs`);
  return {
    worker: at('worker'),
    client: at('client'),
    appender: at('appender'),
    examiner: at('examiner'),
    writerUrl: pathToFileURL(at('writer-worker')).href,
  };
}
