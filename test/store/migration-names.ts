import { readdirSync } from 'node:fs';
import path from 'node:path';

/** The names of all migrations in order, which are those of their files. */
export const MIGRATIONS = readdirSync(path.resolve(import.meta.dirname, '../../shared/store/migrations'))
  .filter((file) => /^\d{4}-/.test(file))
  .map((file) => path.basename(file, '.ts'))
  .sort();
