import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { seedJsonSchema } from '../emulator/seed/seed-schema.ts';

/** Writes the JSON Schema of seed files. Editors read it from the package. */
const file = path.resolve(import.meta.dirname, '../shared/docs/seed.schema.json');
writeFileSync(file, `${JSON.stringify(seedJsonSchema(), null, 2)}\n`);
