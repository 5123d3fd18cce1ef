import { expect, test } from 'vitest';
import type { App } from '../../../shared/core/apps/app.ts';
import { newOrder } from '../../../shared/core/certificates/certificate-order.ts';
import { insertApp } from '../../../shared/store/accounts/apps.ts';
import { claimIdempotencyKey, completeIdempotencyKey } from '../../../shared/store/accounts/idempotency.ts';
import {
  findCertificateOrder,
  saveCertificateOrder,
} from '../../../shared/store/certificates/certificate-orders.ts';
import {
  answersNotSealedUnder,
  appsNotSealedUnder,
  resealAnswer,
  type SealedAnswer,
} from '../../../shared/store/sealed/sealed.ts';
import { orderKeysNotSealedUnder, resealOrderKey } from '../../../shared/store/sealed/sealed-keys.ts';
import { sampleSealed } from '../../../shared/store/sealed/sealed-samples.ts';
import type { Tx } from '../../../shared/store/store.ts';
import { anApp, NOW, newId } from '../rows.ts';

const OTHERS = ['k1.x', 'K.x', 'kk.x', 'k', 'kx.', 'a.k.', 'k-.x', '.k'];

export function sealedTests(store: () => Tx): void {
  const insert = async (...apps: App[]) => {
    for (const app of apps) await insertApp(store(), app);
    return apps.map(({ id }) => id);
  };
  const storeAnswer = async (key: string, body: string | null) => {
    const claim = {
      scope: { app_id: newId('app'), mode: 'live' } as const,
      key,
      fingerprint: 'f',
      lease_id: newId('lea'),
      lease_until: NOW + 1,
      now: NOW,
      keptSince: 0,
    };
    await claimIdempotencyKey(store(), claim);
    await completeIdempotencyKey(store(), claim, { status: 200, body });
    return { ...claim.scope, key };
  };

  test('finds apps whose current or previous secret is sealed under another key', async () => {
    await insert(
      anApp({ signing_secret: 'k.x' }),
      anApp({ signing_secret: 'k.', previous_signing_secret: 'k.y' }),
    );
    const found = await insert(
      ...OTHERS.map((other) => anApp({ signing_secret: other })),
      ...OTHERS.map((other) => anApp({ signing_secret: 'k.x', previous_signing_secret: other })),
      anApp({ signing_secret: 'k1.x', previous_signing_secret: 'k.x' }),
    );
    expect(await appsNotSealedUnder(store(), 'k', 100)).toEqual(found);
    expect(await appsNotSealedUnder(store(), 'k', 3)).toEqual(found.slice(0, 3));
    expect(await appsNotSealedUnder(store(), 'k', 3, found[2])).toEqual(found.slice(3, 6));
  });

  test('finds responses that are sealed under another key, and none without a body', async () => {
    await storeAnswer('current', 'k.x');
    await storeAnswer('nothing', null);
    for (const other of OTHERS) await storeAnswer(other, other);
    const found = await answersNotSealedUnder(store(), 'k', 100);
    expect(found.map(({ key, body }) => [key, body]).sort()).toEqual(
      OTHERS.map((each) => [each, each]).sort(),
    );
  });

  test('reads each key of an order once, in batches, even if no key changes meanwhile', async () => {
    for (const key of [...OTHERS, 'k.x'])
      await saveCertificateOrder(store(), { ...newOrder(newId('dom'), 'renew', NOW), private_key: key });
    const read: string[] = [];
    for (let after: string | undefined, batches = 0; batches < 4; batches++) {
      const batch = await orderKeysNotSealedUnder(store(), 'k', 3, after);
      read.push(...batch.map(({ private_key }) => private_key));
      after = batch.at(-1)?.domain_id ?? after;
    }
    expect(read.sort()).toEqual(OTHERS.toSorted());
  });

  test('keeps the key of a placed order as a rotation has sealed it, whatever its worker saves', async () => {
    const placed = {
      ...newOrder(newId('dom'), 'renew', NOW),
      order_url: 'https://ca.example/1',
      private_key: 'j.x',
    };
    await saveCertificateOrder(store(), placed);
    await resealOrderKey(store(), { domain_id: placed.domain_id, private_key: 'j.x' }, 'k.x');
    await saveCertificateOrder(store(), { ...placed, failing_since: NOW });
    const saved = await findCertificateOrder(store(), placed.domain_id);
    expect([saved?.private_key, saved?.failing_since]).toEqual(['k.x', NOW]);
    await saveCertificateOrder(store(), { ...placed, order_url: null, private_key: null });
    expect((await findCertificateOrder(store(), placed.domain_id))?.private_key).toBeNull();
  });

  test('reads responses in batches, each once, even if none changes meanwhile', async () => {
    for (const other of [...OTHERS, 'k.x']) await storeAnswer(other, other);
    const read: string[] = [];
    for (let last: SealedAnswer | null = null, batches = 0; batches < 4; batches++) {
      const batch: SealedAnswer[] = await answersNotSealedUnder(store(), 'k', 3, last);
      read.push(...batch.map(({ key }) => key));
      last = batch.at(-1) ?? last;
    }
    expect(read.sort()).toEqual(OTHERS.toSorted());
  });

  test('reseals a response unless it has changed', async () => {
    const answer = { ...(await storeAnswer('one', 'k.x')), body: 'k.x' };
    await storeAnswer('two', 'k.x');
    await resealAnswer(store(), { ...answer, body: 'changed' }, 'k1.lost');
    await resealAnswer(store(), answer, 'k1.x');
    expect(await answersNotSealedUnder(store(), 'k', 9)).toEqual([{ ...answer, body: 'k1.x' }]);
    expect(await answersNotSealedUnder(store(), 'k1', 9)).toMatchObject([{ key: 'two' }]);
  });

  test('reads one text for each key of a column, for any number of rows', async () => {
    const keys = ['k1', 'K', 'kk', 'k', 'a1234567890ABCDE', '0'];
    for (const key of keys) {
      await insert(...['.x', '.y', '.'].map((rest) => anApp({ signing_secret: `${key}${rest}` })));
    }
    const previous = await insert(anApp({ signing_secret: 'k.z', previous_signing_secret: 'old.z' }));
    const column = { table: 'apps', belongsTo: ['id'] } as const;
    const samples = await sampleSealed(store(), { ...column, column: 'signing_secret' });
    expect(samples.map(({ sealed }) => sealed.split('.')[0])).toEqual(keys.toSorted());
    expect(await sampleSealed(store(), { ...column, column: 'previous_signing_secret' })).toEqual([
      { sealed: 'old.z', id: previous[0] },
    ]);
  });
}
