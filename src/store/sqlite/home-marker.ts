import { statSync } from 'node:fs';
import { BatonError } from '../../contracts/shared/errors.js';
import type { Connection } from './connection.js';

/**
 * The database remembers the folder it lies in. The same file seen through another folder (a mount of the file alone,
 * a file moved without its WAL) would have two write-ahead logs and lose what is in one of them. A copy is another
 * file, so a restored backup is at home wherever it is.
 */
type Marker = { folder: string; file: string };

export function checkHomeMarker(connection: Connection, home: string, file: string): void {
  const now: Marker = { folder: identityOf(home), file: identityOf(file) };
  const kept = connection.get<Marker>('SELECT folder, file FROM home WHERE id = 1');
  if (kept?.folder === now.folder && kept.file === now.file) return;
  if (kept?.file === now.file) {
    throw new BatonError('STORE_SHARED', `${file} belongs to another folder and is only mounted or moved here`, {
      home,
      file,
    });
  }
  connection.run('INSERT OR REPLACE INTO home (id, folder, file) VALUES (1, ?, ?)', now.folder, now.file);
}

function identityOf(file: string): string {
  const { dev, ino } = statSync(file, { bigint: true });
  return `${dev}:${ino}`;
}
