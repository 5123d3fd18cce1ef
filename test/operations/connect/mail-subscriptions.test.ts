import { describe, expect, test } from 'vitest';
import type { ServiceError } from '../../../shared/core/errors.ts';
import type { DomainId } from '../../../shared/core/ids.ts';
import { DAY_MS } from '../../../shared/core/instant.ts';
import { COMMON_HANDLERS } from '../../../shared/jobs/handlers.ts';
import {
  confirmSubscription,
  findSubscription,
  subscribe,
  unsubscribe,
} from '../../../shared/operations/connect/mail-subscriptions.ts';
import { deleteDomain } from '../../../shared/operations/domains/update-domain.ts';
import { updateApp } from '../../../shared/store/accounts/apps.ts';
import { listSubscriptions } from '../../../shared/store/accounts/mail-subscriptions.ts';
import { findDomainById } from '../../../shared/store/domains/domains.ts';
import { autocommit } from '../../../shared/store/store.ts';
import { type PageWorld, pageWorld, tokenOf } from './page-world.ts';

async function subscriptions({ context }: PageWorld, id: DomainId) {
  return listSubscriptions(context.store, id);
}

test('the service notifies a confirmed address once, and keeps the address to notify it of a broken domain', async () => {
  await using page = await pageWorld();
  await page.subscribe('ada@example.com');
  await page.settle();
  expect(page.mails.map(({ to, subject }) => [to, subject])).toEqual([
    ['ada@example.com', 'Confirm your email address for updates about careers.acme.com'],
  ]);
  const token = tokenOf(page.mails[0]);
  expect(await findSubscription(page.context, token)).toEqual({
    hostname: 'careers.acme.com',
    app_name: 'acme',
    state: 'unconfirmed',
  });
  expect(await confirmSubscription(page.context, token)).toBe(true);
  await page.goLive();
  expect(page.mails.map(({ subject }) => subject).slice(1)).toEqual(['careers.acme.com is live']);
  expect(await subscriptions(page, page.id)).toMatchObject([{ told: 'live' }]);
  await page.settle();
  expect(page.mails).toHaveLength(2);
});

test('the service sends no more mails to an address that never confirms, and deletes it after a week', async () => {
  await using page = await pageWorld();
  await page.subscribe('ada@example.com');
  await page.settle();
  await page.goLive();
  expect(page.mails).toHaveLength(1);
  page.clock.move(8 * DAY_MS);
  await COMMON_HANDLERS.prune?.(page.context, {} as never, async () => false);
  expect(await subscriptions(page, page.id)).toEqual([]);
});

test("the pages that mails link to show an app's name without characters that hide or reorder text", async () => {
  await using page = await pageWorld();
  await updateApp(autocommit(page.context.store), page.caller.app_id, { name: 'ac\u202eme\u200b' });
  await page.subscribe('ada@example.com');
  await page.settle();
  expect(await findSubscription(page.context, tokenOf(page.mails[0]))).toMatchObject({ app_name: 'acme' });
});

test('the service notifies an address at once if the address is confirmed after the domain has gone live', async () => {
  await using page = await pageWorld();
  await page.subscribe('ada@example.com');
  await page.goLive();
  await confirmSubscription(page.context, tokenOf(page.mails[0]));
  await page.settle();
  expect(page.mails[1]?.subject).toBe('careers.acme.com is live');
});

test('the service sends nothing to an address that unsubscribed', async () => {
  await using page = await pageWorld();
  await page.subscribe('ada@example.com');
  await page.settle();
  const token = tokenOf(page.mails[0]);
  await confirmSubscription(page.context, token);
  expect(await unsubscribe(page.context, token)).toBe(true);
  expect(await unsubscribe(page.context, token)).toBe(false);
  await page.goLive();
  expect(page.mails).toHaveLength(1);
});

test('the service sends at most three confirmation requests a day per address, and none after a confirmation', async () => {
  await using page = await pageWorld();
  // For the limit, addresses are equal if they differ only in the case of letters before the @.
  for (const address of ['ada@example.com', 'ada@example.com', 'ada@example.com', 'ADA@example.com']) {
    await page.subscribe(address);
    await page.settle();
  }
  expect(new Set(page.mails.map(tokenOf)).size).toBe(1);
  expect(page.mails).toHaveLength(3);
  await confirmSubscription(page.context, tokenOf(page.mails[0]));
  page.clock.move(DAY_MS);
  await page.subscribe('ada@example.com');
  await page.settle();
  expect(page.mails).toHaveLength(3);
});

describe('the subscription of a mail address to a connect page is private', () => {
  /** Submits the address on a connect page several times. Returns the responses. */
  async function saidTo(page: PageWorld, address: string): Promise<string[]> {
    const said: string[] = [];
    for (let i = 0; i < 4; i++) {
      said.push(
        await page.subscribe(address).then(
          () => 'taken',
          ({ code }: ServiceError) => code,
        ),
      );
    }
    return said;
  }

  test.each([
    ['a confirmed address', 1, true],
    ['an address that was asked', 1, false],
    ['an address that had its mails of the day', 3, false],
  ])("is not visible in the page's responses: %s", async (_, times, confirms) => {
    await using page = await pageWorld();
    for (let i = 0; i < times; i++) await page.subscribe('known@example.com');
    await page.settle();
    if (confirms) await confirmSubscription(page.context, tokenOf(page.mails[0]));
    const other = await page.addDomain(page.caller, 'other.acme.com');
    const connectToken = (await findDomainById(page.context.store, other))?.connect_token ?? '';
    for (const there of [page, { ...page, subscribe: on(page, connectToken) }]) {
      expect(await saidTo(there, 'known@example.com')).toEqual(Array(4).fill('taken'));
      page.clock.move(DAY_MS);
      expect(await saidTo(there, 'unknown@example.com')).toEqual(Array(4).fill('taken'));
    }
  });

  function on({ context }: PageWorld, connectToken: string): PageWorld['subscribe'] {
    return (address) => subscribe(context, { connect_token: connectToken, address, language: 'en' });
  }

  test('is not visible on a page that accepts no more addresses', async () => {
    await using page = await pageWorld();
    for (let i = 0; i < 10; i++) await page.subscribe(`ada${i}@example.com`);
    await page.settle();
    await confirmSubscription(page.context, tokenOf(page.mails[0]));
    page.clock.move(DAY_MS);
    for (const address of ['ada0@example.com', 'ada1@example.com', 'unknown@example.com']) {
      await expect(page.subscribe(address)).rejects.toMatchObject({ code: 'rate_limited' });
    }
    expect(page.mails).toHaveLength(10);
  });

  test('cannot be probed without limit: refused requests and requests that send nothing use up the limit too', async () => {
    await using page = await pageWorld();
    for (let i = 0; i < 10; i++) await page.subscribe(`ada${i}@example.com`);
    page.clock.move(DAY_MS);
    for (let i = 0; i < 10; i++) {
      await expect(page.subscribe('eve@example.com')).rejects.toMatchObject({ retry_after_s: undefined });
    }
    await expect(page.subscribe('eve@example.com')).rejects.toMatchObject({ retry_after_s: 24 * 3600 });
  });
});

test('a connect page accepts ten subscriptions a day, whatever the addresses', async () => {
  await using page = await pageWorld();
  for (let i = 0; i < 10; i++) await page.subscribe(`ada${i}@example.com`);
  await expect(page.subscribe('one-more@example.com')).rejects.toMatchObject({ code: 'rate_limited' });
});

test.each([
  ['the request to confirm', 'Confirm your email address for updates about careers.acme.com'],
  ['the news that it is live', 'careers.acme.com is live'],
])('after a day of failed attempts, the service gives up %s, and deletes the address', async (_, subject) => {
  await using page = await pageWorld();
  const tried: { subject: string; at: number }[] = [];
  await page.subscribe('ada@example.com');
  if (subject.includes('live')) {
    await page.settle();
    await confirmSubscription(page.context, tokenOf(page.mails[0]));
  }
  page.mail_server.answer = (mail) => {
    tried.push({ subject: mail.subject, at: page.clock.now() });
    throw new Error('no connection');
  };
  await page.goLive();
  for (let n = 0; n < 100 && (await subscriptions(page, page.id)).length > 0; n++) {
    await page.settle();
    page.clock.move(((await page.nextDue()) ?? page.clock.now()) - page.clock.now());
  }
  expect(tried.map((mail) => mail.subject)).toEqual(Array(14).fill(subject));
  const [first = 0, last = 0] = [tried[0]?.at, tried.at(-1)?.at];
  expect((last - first) / DAY_MS).toBeCloseTo(1, 1);
  expect(page.logged.at(-1)).toBe('a mail could not be sent after all attempts; giving up');
});

test('the service deletes an address that the mail server rejects permanently, and retries an unreachable server', async () => {
  await using page = await pageWorld();
  page.mail_server.answer = () => {
    throw new Error('no connection');
  };
  await page.subscribe('ada@example.com');
  await page.settle();
  expect(page.logged).toEqual(['a job failed; it will be retried']);
  page.mail_server.answer = () => 'refused';
  page.clock.move(60_000);
  await page.settle();
  expect(page.mails).toEqual([]);
  expect(await subscriptions(page, page.id)).toEqual([]);
});

test('a mail that is sent twice has the same Message-ID; each kind of mail has its own Message-ID', async () => {
  await using page = await pageWorld();
  await page.subscribe('ada@example.com');
  await page.settle();
  await page.subscribe('ada@example.com');
  await page.settle();
  await confirmSubscription(page.context, tokenOf(page.mails[0]));
  await page.goLive();
  const ids = page.mails.map(({ message_id }) => message_id);
  expect(ids[0]).toBe(ids[1]);
  expect(ids[2]).not.toBe(ids[0]);
});

test('the addresses subscribed to a domain are deleted with the domain', async () => {
  await using page = await pageWorld();
  await page.subscribe('ada@example.com');
  await page.settle();
  const token = tokenOf(page.mails[0]);
  await deleteDomain(page.context, page.caller, { params: { id: page.id } });
  expect(await subscriptions(page, page.id)).toEqual([]);
  expect(await confirmSubscription(page.context, token)).toBe(false);
  await expect(page.subscribe('ada@example.com')).rejects.toMatchObject({ code: 'not_found' });
});

test('the service sends no mail for a hosted test domain', async () => {
  await using page = await pageWorld();
  page.context.settings.timerForLive = false;
  await expect(page.subscribe('ada@example.com')).rejects.toMatchObject({ code: 'not_found' });
});

test('the service refuses an address with a line break', async () => {
  await using page = await pageWorld();
  await expect(page.subscribe('ada@example.com\r\nBcc: eve@example.com')).rejects.toMatchObject({
    code: 'validation_failed',
  });
});
