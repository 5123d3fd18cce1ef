import type { Browser } from 'playwright-core';
import { confirmSubscription, subscribe } from '../../shared/operations/connect/mail-subscriptions.ts';
import { inviteMember } from '../../shared/operations/members/change-members.ts';
import type { Mail } from '../../shared/ports/accounts.ts';
import { connectUnderTest } from '../connect/connect-under-test.ts';
import { STATES } from '../connect/states.ts';
import { dashboardUnderTest } from '../dashboard/dashboard-under-test.ts';
import { drawSurface, type Picture } from './draw-surface.ts';

const DAY_MS = 86_400_000;

/** Draws the HTML part of each mail. */
export async function drawMails(browser: Browser): Promise<void> {
  const written = [...(await customerMails()), ...(await memberMails())];
  const pictures = written.map(
    ([name, { html = '' }]): Picture => ({
      name: `mail-${name}`,
      show: (page) => page.setContent(html),
    }),
  );
  await drawSurface(browser, { pictures });
}

type Named = [name: string, mail: Mail];

/** Leads a domain through its life, and returns the mails that its customer gets. */
async function customerMails(): Promise<Named[]> {
  await using underTest = await connectUnderTest('Hirely');
  const { composition, add, lead } = underTest;
  const sent = keepMails(composition.mails);
  const fault = STATES.find(({ name }) => name === 'pending with a fault');
  const { id, connect_url } = await add('shop.acme.com');
  const work = () => composition.time.advance({ by_ms: 0 });
  const address = { address: 'ada@example.com', language: 'en' } as const;
  await subscribe(composition.context, {
    connect_token: connect_url.slice(connect_url.lastIndexOf('/') + 1),
    ...address,
  });
  await work();
  const token = /\/mail\/([^/]+)\//.exec(sent[0]?.unsubscribe_url ?? '')?.[1] ?? '';
  await confirmSubscription(composition.context, token);
  await lead(id, ['dns_seen', 'dns_confirmed', 'certificate_issued']);
  await work();
  await lead(id, ['dns_gone'], 'dns_record_mismatch');
  await fault?.lead(underTest, id);
  await composition.time.advance({ by_ms: DAY_MS });
  return named(sent, ['confirm', 'live', 'broken']);
}

/** Returns the mails that members of an account get. */
async function memberMails(): Promise<Named[]> {
  await using dashboard = await dashboardUnderTest();
  const sent = keepMails(dashboard.composition.mails);
  const member = { mail: 'ada@example.com', role: 'developer' } as const;
  await inviteMember(dashboard.context, 'test', dashboard.account.account.id, member);
  await dashboard.mails();
  await dashboard.browser().send('POST /sign-in/links', { mail: member.mail });
  await dashboard.mails();
  return named(sent, ['invite', 'sign-in']);
}

/** Collects the mails that a mailer sends, with their HTML. */
function keepMails(mails: { send(mail: Mail): Promise<unknown> }): Mail[] {
  const { send } = mails;
  const sent: Mail[] = [];
  mails.send = (mail: Mail) => {
    sent.push(mail);
    return send(mail);
  };
  return sent;
}

function named(sent: readonly Mail[], names: readonly string[]): Named[] {
  const subjects = sent.map(({ subject }) => subject);
  if (sent.length !== names.length)
    throw new Error(`expected ${names.join(', ')}; sent: ${subjects.join('; ')}`);
  return names.map((name, index) => [name, sent[index] as Mail]);
}
