import { openMemory } from './open-sqlite.ts';
import { storeConformance } from './store-conformance.ts';

storeConformance('SQLite in memory', openMemory);
