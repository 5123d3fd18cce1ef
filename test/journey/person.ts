import type { Browser, BrowserContext, Page } from 'playwright-core';
import { expect } from 'vitest';
import { headerOf, type ReceivedMail, textOf } from '../fixtures/smtp-server.ts';
import type { JourneyWorld } from './journey-world.ts';
import { press, type } from './keyboard.ts';

const DEADLINE_MS = 20_000;

/** A person with a browser, a mailbox and a keyboard, but without a mouse. */
export interface Person {
  page: Page;
  context: BrowserContext;
  /** Errors that a page logged, and responses with a status of 500 or more. */
  problems: string[];
  /** Presses a button with the keyboard. */
  press(name: string | RegExp): Promise<void>;
  /** Presses a button of the open dialog with the keyboard. */
  pressInDialog(name: string): Promise<void>;
  /** Opens a view through its link in the navigation, and waits until the page shows the view. */
  open(view: string): Promise<void>;
  /** Changes a setting in its own form, and saves it. */
  set(label: string, value: string): Promise<void>;
  /** Returns the value of a labelled fact on the page. */
  fact(name: string): Promise<string>;
  /** Waits for the next unread mail with this subject. Ignores the second copy of a mail that the server received twice. */
  mail(subject: RegExp): Promise<ReceivedMail>;
  /** Returns the subjects of all mails to this person, oldest first. */
  subjects(): string[];
  /** Waits for the next mail with a sign-in link, and returns the link. */
  signInLink(): Promise<string>;
}

export async function meet(browser: Browser, world: JourneyWorld, address: string): Promise<Person> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 } });
  context.setDefaultTimeout(DEADLINE_MS);
  const problems: string[] = [];
  /** The `Message-ID` of each mail that the test has read. */
  const read = new Set<string>();
  const mailsTo = () => [
    ...new Map(
      world.mail.received
        .filter(({ to }) => to.includes(address))
        .map((mail) => [headerOf(mail, 'Message-ID'), mail]),
    ).values(),
  ];
  context.on('weberror', (error) => problems.push(String(error.error())));
  context.on('console', (message) => {
    // The browser logs every error response, but the journey expects some calls to be refused.
    const line = message.text();
    if (message.type() === 'error' && !line.startsWith('Failed to load resource')) problems.push(line);
  });
  context.on('response', (response) => {
    if (response.status() >= 500) problems.push(`${response.url()} responded ${response.status()}`);
  });
  const page = await context.newPage();
  const person: Person = {
    page,
    context,
    problems,
    press: (name) => press(page, page.getByRole('button', { name, exact: true })),
    pressInDialog: (name) => press(page, page.getByRole('dialog').getByRole('button', { name, exact: true })),
    async open(view) {
      const views = page.getByRole('navigation', { name: 'Views' });
      await press(page, views.getByRole('link', { name: view, exact: true }));
      await page.getByRole('heading', { name: view, level: 2, exact: true }).waitFor();
    },
    async set(label, value) {
      await type(page, page.getByRole('textbox', { name: label, exact: true }), value);
      await page.keyboard.press('Enter');
    },
    async fact(name) {
      const fact = page.locator('.facts > div').filter({ has: page.getByText(name, { exact: true }) });
      return (await fact.locator('code').textContent()) ?? '';
    },
    async mail(subject) {
      const next = () =>
        mailsTo().find(
          (each) => !read.has(headerOf(each, 'Message-ID')) && subject.test(headerOf(each, 'Subject')),
        );
      await expect.poll(next, { timeout: DEADLINE_MS, message: `a mail ${subject}` }).toBeDefined();
      const mail = next();
      if (mail === undefined) throw new Error(`no mail ${subject} to ${address}`);
      read.add(headerOf(mail, 'Message-ID'));
      return mail;
    },
    subjects: () => mailsTo().map((mail) => headerOf(mail, 'Subject')),
    async signInLink() {
      const text = textOf(await person.mail(/sign in/i));
      const link = /https?:\/\/\S+#\S+/.exec(text)?.[0];
      if (link === undefined) throw new Error(`no link in: ${text}`);
      return link;
    },
  };
  return person;
}

/** Gives the page an authenticator that reports the person as present and verified by fingerprint (Chrome DevTools Protocol, WebAuthn). */
export async function addAuthenticator({ context, page }: Person): Promise<void> {
  const devtools = await context.newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
    },
  });
}
