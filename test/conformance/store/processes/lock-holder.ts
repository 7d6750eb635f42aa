/** Takes the write lock of a store and keeps it; as a process that is stopped inside a commit does. */
import path from 'node:path';
import { loadDriver } from '../../../../src/store/sqlite/driver.js';

const [home = ''] = process.argv.slice(2);
const { DatabaseSync } = await loadDriver();
const database = new DatabaseSync(path.join(home, 'baton.db'));
database.exec('BEGIN IMMEDIATE');
process.stdout.write('locked\n');
setInterval(() => database.exec('SELECT 1'), 1_000);
