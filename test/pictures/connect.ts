import type { Browser } from 'playwright-core';
import { DEFAULT_SECRETS } from '../../emulator/state/default-account.ts';
import { subscribe } from '../../shared/operations/connect/mail-subscriptions.ts';
import { connectUnderTest } from '../connect/connect-under-test.ts';
import { STATES } from '../connect/states.ts';
import { serveAppPage } from '../embed/app-page.ts';
import { tokenFor } from '../embed/tokens.ts';
import { at, drawSurface, type Picture } from './draw-surface.ts';

/** The states that the design has a drawing of, with the names of the drawings. */
const DRAWN: Readonly<Record<string, string>> = {
  'pending at a provider': 'pending',
  'pending with a fault': 'fix',
  active: 'live',
  'a test that is live': 'test',
};

export async function drawConnect(browser: Browser): Promise<void> {
  await using underTest = await connectUnderTest('Hirely');
  const pictures: Picture[] = [];
  for (const { name, hostname, mode, lead } of STATES) {
    const { id, connect_url } = await underTest.add(hostname, mode);
    await lead(underTest, id);
    pictures.push(at(`connect-${DRAWN[name] ?? name.replaceAll(' ', '-')}`, connect_url));
  }
  const { context, mails } = underTest.composition;
  const { connect_url } = await underTest.add('mail.acme.com');
  const token = connect_url.slice(connect_url.lastIndexOf('/') + 1);
  await subscribe(context, { connect_token: token, address: 'ada@example.com', language: 'en' });
  await underTest.composition.time.advance({ by_ms: 0 });
  const leave = mails.list()[0]?.unsubscribe_url ?? '';
  pictures.push(
    at('connect-unknown', `${underTest.url}/connect/nobodyknowsthistoken00`),
    at('connect-mail-confirm', leave.replace('/unsubscribe', '')),
    at('connect-mail-leave', leave),
  );
  await drawSurface(browser, { pictures });
}

/** The page of an app with a font and a colour of its own. */
const APP_STYLE = `
:root { color-scheme: light dark; }
body { margin: 0 auto; max-width: 46rem; padding: 2rem 1rem; font: 1rem/1.5 serif; }
nameplate-connect { --nameplate-accent: light-dark(#7a2b8e, #d9a6e8); }`;

export async function drawComponent(browser: Browser): Promise<void> {
  await using underTest = await connectUnderTest('Hirely');
  await using site = await serveAppPage();
  const pictures: Picture[] = [];
  for (const { name, hostname, mode, lead } of STATES.filter((state) => DRAWN[state.name] !== undefined)) {
    const { id } = await underTest.add(hostname, mode);
    await lead(underTest, id);
    const key = DEFAULT_SECRETS[mode === 'test' ? 'test_key' : 'live_key'];
    const token = await tokenFor(underTest, id, {}, key);
    const shown = { token, baseUrl: underTest.url, style: APP_STYLE };
    pictures.push(
      at(
        `component-${DRAWN[name]}`,
        () => site.show(shown),
        (page) => page.locator('nameplate-connect .headline').waitFor(),
      ),
    );
  }
  await drawSurface(browser, { pictures });
}
