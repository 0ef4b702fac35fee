// Holds the write lock of a file until it is killed.
import { writeSync } from 'node:fs';
import { openDatabase } from '../../src/sqlite/driver.ts';

const database = openDatabase(process.argv[2] ?? '');
database.exec('begin immediate');
writeSync(1, 'locked\n');
// Held on to: a connection nobody refers to any more is collected, and its lock with it.
setInterval(() => database, 1000);
