import { expect, test } from 'vitest';
import { createSecretBox } from '../../../shared/adapters/secret-box.ts';
import { systemRandom } from '../../../shared/adapters/system.ts';
import { MINUTE_MS } from '../../../shared/core/instant.ts';
import { rotateEncryptionKey } from '../../../shared/operations/operator/rotate-encryption-key.ts';
import { certificateSource } from '../edge/stored-values.ts';
import { certificateWorld } from './certificate-world.ts';

const OLD = ['k1', new Uint8Array(32)] as const;
const NEW = ['k2', new Uint8Array(32).fill(2)] as const;

test('the private keys of certificates, orders and accounts can be decrypted only with the new encryption key', async () => {
  await using under = await certificateWorld({ authorities: ['first'] });
  const { context } = under.world;
  await under.addIssuing('careers.acme.com');
  await under.pass(MINUTE_MS);
  const source = certificateSource(context);
  const before = await source.findCertificate('careers.acme.com');
  under.acme.first.processingLooks = 1000;
  const slow = await under.addIssuing('jobs.acme.com');
  await under.pass(MINUTE_MS);

  context.secrets = createSecretBox({ current: 'k2', keys: new Map([OLD, NEW]) }, systemRandom);
  const done = await rotateEncryptionKey(context, 'ada', 'k2');
  expect(done.tlsKeys).toBe(3);
  expect((await rotateEncryptionKey(context, 'ada', 'k2')).tlsKeys).toBe(0);
  context.secrets = createSecretBox({ current: 'k2', keys: new Map([NEW]) }, systemRandom);
  expect(await certificateSource(context).findCertificate('careers.acme.com')).toEqual(before);
  under.acme.first.processingLooks = 0;
  await under.pass(5 * MINUTE_MS);
  expect((await under.domain(slow)).status).toBe('active');
});
