import { expect, test } from 'vitest';
import { describePostgres } from '../../fixtures/postgres/postgres.ts';
import { api, createDeployment, KEYS } from '../run-service.ts';

const IDEMPOTENT = { 'idempotency-key': 'create-1' };
const DOMAIN = { hostname: 'rotation.acme.com' };
const ring = (...keys: string[]) => ({ NAMEPLATE_ENCRYPTION_KEYS: keys.join(',') });

describePostgres('rotating the encryption key keeps all secrets readable', () => {
  test('re-encrypts secrets so that the new key alone decrypts them', async () => {
    await using deployment = await createDeployment();
    const { document } = await deployment.json(['accounts', 'create', 'Acme', '--plan', 'growth']);
    const { test_key, live_key, signing_secret } = document;
    const first = await (async () => {
      await using running = await deployment.start();
      const renewed = await api(running.api_url, live_key, 'POST /apps/current/signing-secret/rotate');
      expect(renewed.status).toBe(200);
      return await api(running.api_url, test_key, 'POST /domains', DOMAIN, IDEMPOTENT);
    })();
    expect(first.status).toBe(201);

    const both = ring(KEYS.k2, KEYS.k1);
    const rotated = await deployment.json(['encryption-key', 'rotate'], both);
    expect(rotated).toMatchObject({ exit: 0, document: { key_id: 'k2', apps: 1, answers: 1 } });
    const again = await deployment.json(['encryption-key', 'rotate'], both);
    expect(again).toMatchObject({ exit: 0, document: { key_id: 'k2', apps: 0, answers: 0 } });
    const rotate = { action: 'encryption_key.rotate', subject: 'k2' };
    expect((await deployment.json(['audit', 'list', '--limit', '4'], both)).document.data).toMatchObject([
      { ...rotate, detail: { step: 'end', apps: 0, answers: 0 } },
      { ...rotate, detail: { step: 'start' } },
      { ...rotate, detail: { step: 'end', apps: 1, answers: 1 } },
      { ...rotate, detail: { step: 'start' } },
    ]);

    await using running = await deployment.start({ env: ring(KEYS.k2) });
    const replayed = await api(running.api_url, test_key, 'POST /domains', DOMAIN, IDEMPOTENT);
    expect(replayed.headers.get('idempotency-replayed')).toBe('true');
    expect(replayed.body).toEqual(first.body);
    const shown = await api(running.api_url, live_key, 'POST /apps/current/signing-secret/rotate');
    expect(shown.status).toBe(200);
    expect(JSON.stringify(shown.body)).not.toContain(signing_secret);
  });

  test('names the missing key if a secret is encrypted with a key that is not set', async () => {
    await using deployment = await createDeployment();
    const { document: account } = await deployment.json(['accounts', 'create', 'Acme']);
    const refused = {
      code: 'encryption_keys_unusable',
      message: expect.stringContaining('are missing from NAMEPLATE_ENCRYPTION_KEYS: "k1"'),
    };
    expect(await deployment.json(['start'], ring(KEYS.k2))).toMatchObject({
      exit: 1,
      document: { error: refused },
    });
    // The rotation failed before it started, so the audit log has no entry.
    const rotate = await deployment.json(['encryption-key', 'rotate'], ring(KEYS.k2));
    expect(rotate).toMatchObject({ exit: 1, document: { error: refused } });
    const { document: audit } = await deployment.json(['audit', 'list', '--limit', '9']);
    expect(audit.data.filter(({ action }) => action === 'encryption_key.rotate')).toEqual([]);

    const both = ring(KEYS.k2, KEYS.k1);
    expect((await deployment.json(['encryption-key', 'rotate'], both)).document).toMatchObject({ apps: 1 });
    // An older node encrypts a stored response with the old key. Such responses are encrypted too, not only the apps' secrets.
    {
      await using running = await deployment.start({ env: ring(KEYS.k1, KEYS.k2) });
      await api(running.api_url, account.test_key, 'POST /domains', DOMAIN, IDEMPOTENT);
    }
    const alone = await deployment.json(['start'], ring(KEYS.k2));
    expect(alone).toMatchObject({ exit: 1, document: { error: refused } });
  });

  test('names the id of a key whose bytes have changed', async () => {
    await using deployment = await createDeployment();
    await deployment.json(['accounts', 'create', 'Acme']);
    const other = KEYS.k2.replace('k2:', 'k1:');
    expect(await deployment.json(['start'], ring(other))).toMatchObject({
      exit: 1,
      document: {
        error: {
          code: 'encryption_keys_unusable',
          message: expect.stringContaining('secrets stored under their ids: "k1"'),
        },
      },
    });
  });
});
