import { openFile } from './open-sqlite.ts';
import { storeConformance } from './store-conformance.ts';

storeConformance('SQLite in a file', openFile);
