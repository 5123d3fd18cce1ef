import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { serviceNames } from '../../../shared/core/service-name.ts';
import { EVENT_TYPES } from '../../../shared/core/webhooks/event.ts';
import { openApiDocument } from '../../../shared/schema/openapi/openapi.ts';
import { ROUTES } from '../../../shared/schema/routes.ts';
import { conclude, type Excuses } from './conclude.ts';

/** Runs Redocly on the OpenAPI document with all its rules. `test/schema/openapi/openapi.test.ts` checks the recommended rules. */
const REDOCLY = resolve(import.meta.dirname, '../../../node_modules/.bin/redocly');
const OF_CONTRACT = 'The name is part of the contract of v1.';
const READING_ORDER = 'The document has the order in which a reader meets things.';
const EXCUSES: Excuses = {
  'scalar-property-missing-example': 'Each body has an example as a whole.',
  'required-string-property-missing-min-length':
    'Responses promise no lengths, and an empty `hostname` has an error of its own, `invalid_hostname`.',
  'operation-4xx-problem-details-rfc7807': 'The envelope of errors is part of the contract of v1.',
  'path-segment-plural': OF_CONTRACT,
  'paths-kebab-case': OF_CONTRACT,
  'tags-alphabetical': READING_ORDER,
  'path-http-verbs-order': READING_ORDER,
  'response-mime-type': 'The stream of events is `text/event-stream`.',
  'info-contact': 'Each operator of the service has another contact.',
};

interface Report {
  problems: { ruleId: string }[];
}

test('redocly finds no fault in the OpenAPI document with all its rules', async () => {
  const settings = {
    baseUrl: 'https://api.acme-cdn.net',
    docsUrl: 'https://docs.acme-cdn.net',
    names: serviceNames('Acme'),
  };
  const folder = mkdtempSync(join(tmpdir(), 'nameplate-redocly-'));
  writeFileSync(join(folder, 'openapi.json'), JSON.stringify(openApiDocument(settings)));
  writeFileSync(join(folder, 'redocly.yaml'), 'extends: [all]\n');
  const options = ['lint', 'openapi.json', '--format=json', '--max-problems=10000'];
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  // Redocly exits with 1 if it finds problems, even excused ones.
  const { stdout } = await promisify(execFile)(REDOCLY, options, { cwd: folder, env, maxBuffer: 1e8 }).catch(
    (error: { stdout: string }) => error,
  );
  rmSync(folder, { recursive: true });
  const found = (JSON.parse(stdout) as Report).problems.map(({ ruleId }) => ruleId);
  expect(found.length).toBeLessThan(10_000);
  const operations = Object.keys(ROUTES).length + EVENT_TYPES.length;
  conclude('redocly', `${operations} operations and webhooks`, found, EXCUSES);
});
