import { expect, test } from 'vitest';
import { describePostgres } from '../../fixtures/postgres/postgres.ts';
import { startReceiver } from '../../fixtures/webhook-receiver.ts';
import { api, createDeployment, type RunningNode } from '../run-service.ts';

/** Secret words, which the test sends in all parts of a request that a log could contain. */
const PRIVATE = {
  metadata: 'private-metadata',
  header: 'private-header',
  query: 'private-query',
  visitor: 'private-visitor',
  idempotency: 'private-idempotency-key',
};

describePostgres('the log of a service node contains no secrets', () => {
  test('has a line for each request and failure, and no line contains a key, secret, body, header or query', async () => {
    await using deployment = await createDeployment();
    await using receiver = await startReceiver(() => 500);
    const lines: string[] = [];
    await using running = await deployment.start({ logTo: { write: (line) => lines.push(line) } });
    const { api_url, edge_url } = running;
    const { document } = await deployment.json(['accounts', 'create', 'Acme', '--plan', 'growth']);
    const { test_key, live_key, signing_secret } = document;

    const answers = [
      await api(api_url, test_key, 'PATCH /apps/current', {
        webhook_url: `${receiver.url}/?${PRIVATE.query}`,
      }),
      await api(
        api_url,
        test_key,
        'POST /domains',
        {
          hostname: 'logs.acme.com',
          metadata: { note: PRIVATE.metadata },
          origin_headers: { 'X-Token': PRIVATE.header },
        },
        { 'idempotency-key': PRIVATE.idempotency },
      ),
      await api(api_url, test_key, `GET /domains?hostname=${PRIVATE.query}`),
      await api(api_url, 'sk_test_wrong', 'GET /domains'),
      await api(api_url, live_key, 'POST /domains', { hostname: PRIVATE.metadata }),
      await api(api_url, test_key, 'POST /keys', { name: 'ci', mode: 'test' }),
      await api(api_url, live_key, 'POST /apps/current/signing-secret/rotate'),
    ];
    await receiver.until(1);
    await fetch(`${edge_url}/${PRIVATE.visitor}?${PRIVATE.query}`, {
      method: 'POST',
      headers: { cookie: PRIVATE.visitor },
      body: PRIVATE.visitor,
    });
    await breakDomains(running);
    const failed = await api(api_url, test_key, 'POST /domains', {
      hostname: 'fails.acme.com',
      metadata: { note: PRIVATE.metadata },
    });
    expect(failed.status).toBe(500);
    await running.node.stop();

    const log = lines.map((line) => JSON.parse(line));
    expect(log.map(({ msg }) => msg)).toEqual(
      expect.arrayContaining([
        'the node has started',
        'a request failed',
        'the node drains',
        'the node has stopped',
      ]),
    );
    const logged = new Set(log.filter(({ msg }) => msg === 'request').map(({ request_id }) => request_id));
    for (const { headers } of [...answers, failed]) expect(logged).toContain(headers.get('x-request-id'));
    expect(log.find(({ msg }) => msg === 'a request failed')).toMatchObject({
      level: 'error',
      request_id: failed.headers.get('x-request-id'),
      error: { message: expect.stringContaining('domains') },
    });

    const all = lines.join('');
    const secrets = answers.flatMap(
      ({ body }) => JSON.stringify(body).match(/(?:sk_|whsec_)[\w+/=]+/g) ?? [],
    );
    expect(secrets.length).toBeGreaterThan(1);
    for (const word of [
      ...Object.values(PRIVATE),
      ...secrets,
      test_key,
      live_key,
      signing_secret,
      'sk_test_',
      'sk_live_',
      'whsec_',
      'postgres://',
    ]) {
      expect(all).not.toContain(word);
    }
  });
});

/** Renames the table of domains, so that requests fail with an internal error. */
async function breakDomains({ node }: RunningNode): Promise<void> {
  await node.composition.context.store.db.schema.alterTable('domains').renameTo('domains_gone').execute();
}
