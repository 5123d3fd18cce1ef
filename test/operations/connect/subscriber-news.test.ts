import { expect, test } from 'vitest';
import { DAY_MS } from '../../../shared/core/instant.ts';
import { confirmSubscription, subscribe } from '../../../shared/operations/connect/mail-subscriptions.ts';
import { triggerDomain } from '../../../shared/operations/domains/trigger-domain.ts';
import { pageWorld, tokenOf } from './page-world.ts';

test('a confirmed address gets a mail at most once a day when a live domain breaks, and when it recovers', async () => {
  await using page = await pageWorld();
  await page.subscribe('ada@example.com');
  await page.settle();
  await confirmSubscription(page.context, tokenOf(page.mails[0]));
  await page.goLive();
  const subjects = () => page.mails.map(({ subject }) => subject).slice(2);
  const lead = async (trigger: 'dns_gone' | 'dns_confirmed') => {
    await triggerDomain(page.context, page.id, trigger, undefined);
    await page.settle();
  };
  await lead('dns_gone');
  expect(subjects()).toEqual(['careers.acme.com has stopped working: its DNS record needs a fix']);
  expect(page.mails.at(-1)?.text).toContain('/connect/');
  await lead('dns_confirmed');
  await lead('dns_gone');
  await lead('dns_confirmed');
  expect(subjects().slice(1)).toEqual(['careers.acme.com is live']);
  page.clock.move(DAY_MS);
  await lead('dns_gone');
  expect(subjects().slice(2)).toEqual(['careers.acme.com has stopped working: its DNS record needs a fix']);
  const ids = page.mails.map(({ message_id }) => message_id);
  expect(new Set(ids).size).toBe(ids.length);
});

test('the mails to a subscriber are in the language of the connect page', async () => {
  await using page = await pageWorld();
  const { connect_token } = page;
  await subscribe(page.context, { connect_token, address: 'ada@example.com', language: 'de' });
  await page.settle();
  expect(page.mails[0]).toMatchObject({
    subject: 'Bestätigen Sie Ihre E-Mail-Adresse für careers.acme.com',
    language: 'de',
  });
  expect(page.mails[0]?.text).toContain('?lang=de\n');
});
