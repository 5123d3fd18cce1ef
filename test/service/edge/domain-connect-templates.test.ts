import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { emptyFolder } from '../../cli/run-cli.ts';
import { runService } from '../run-service.ts';

const ENV = {
  NAMEPLATE_EDGE_ZONE: 'edge.nameplate.example',
  NAMEPLATE_EDGE_IPV4: '192.0.2.1',
  NAMEPLATE_EDGE_IPV6: '2001:db8::1',
};

async function templates(argv: readonly string[]) {
  const { exit, stdout, stderr } = await runService(['domain-connect', 'templates', ...argv], ENV);
  return { exit, stdout, stderr };
}

test('the command domain-connect prints the templates for the settings, each with its file name', async () => {
  const { exit, stdout } = await templates(['nameplate.example', '--name', 'Nameplate', '--json']);
  expect(exit).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    templates: [
      {
        file: 'nameplate.example.subdomain.json',
        template: {
          providerId: 'nameplate.example',
          providerName: 'Nameplate',
          syncPubKeyDomain: 'nameplate.example',
          records: [{ type: 'CNAME', pointsTo: '%target%.edge.nameplate.example' }],
        },
      },
      {
        file: 'nameplate.example.apex.json',
        template: {
          records: [
            { type: 'A', pointsTo: '192.0.2.1' },
            { type: 'AAAA', pointsTo: '2001:db8::1' },
            { type: 'TXT', host: '_service' },
          ],
        },
      },
    ],
    key_records: [],
  });
});

test('the command domain-connect prints the TXT records with the public key, and never the private key', async () => {
  const file = path.join(emptyFolder(), 'key.pem');
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  writeFileSync(file, privateKey.export({ type: 'pkcs8', format: 'pem' }));
  const { exit, stdout } = await templates([
    'nameplate.example',
    '--key-domain',
    'keys.nameplate.example',
    '--key-file',
    file,
  ]);
  expect(exit).toBe(0);
  expect(stdout).toContain('_dck1.keys.nameplate.example TXT "p=1,a=RS256,d=MII');
  expect(stdout).not.toContain('PRIVATE');
});

test('the command domain-connect reports an invalid domain or key', async () => {
  const bad = await templates(['Not a domain']);
  expect(bad).toMatchObject({ exit: 2, stderr: expect.stringContaining('is not a domain name') });
  const missing = await templates(['nameplate.example', '--key-file', path.join(emptyFolder(), 'none.pem')]);
  expect(missing).toMatchObject({ exit: 2, stderr: expect.stringContaining('cannot be read') });
});
