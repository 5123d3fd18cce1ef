import type { Browser, Page } from 'playwright-core';
import { labUnderTest } from '../emulator/lab/lab-under-test.ts';
import { afterPause, press } from './dashboard.ts';
import { at, drawSurface } from './draw-surface.ts';
import { fillApp } from './fill-app.ts';

export async function drawLab(browser: Browser): Promise<void> {
  await using lab = await labUnderTest(browser);
  const { emulator, api, control, answer, visit } = lab;
  const advance = (ms: number) => emulator.clock.advance(ms);
  const ids = await fillApp({
    async add(hostname, metadata) {
      const { status, body } = await api('POST /domains', { hostname, metadata });
      if (status >= 300) throw new Error(`${hostname}: ${JSON.stringify(body)}`);
      return body.id;
    },
    trigger: (id, name, reason) => emulator.trigger(id, name, reason === undefined ? {} : { reason }),
    advance,
    answer,
  });
  const mailed = (await api(`GET /domains/${ids.failed}`)).body;
  await fetch(`${mailed['connect_url']}/notify`, {
    method: 'POST',
    body: new URLSearchParams({ address: 'ada@example.com' }),
    headers: { 'sec-fetch-site': 'same-origin', origin: 'null' },
  });
  await emulator.clock.advance(0);
  await control('PUT /errors', { code: 'rate_limited', path: '/v1/keys', times: 3 });
  for (const visited of ['/', '/jobs/42?utm_source=newsletter']) await visit('careers.acme.com', visited);
  await visit('nobody.example.com', '/');
  const [request] = emulator.requests();
  const [mail] = emulator.mail();
  const view = (name: string, path: string, act?: (page: Page) => Promise<unknown>) =>
    at(name, `${emulator.url}/dashboard/${emulator.appId}/test${path}`, async (page) => {
      await page.locator('.connection.live').first().waitFor({ state: 'attached' });
      await act?.(page);
    });
  await drawSurface(browser, {
    pictures: [
      view('lab-home', ''),
      view('emulator', '/domains'),
      view('emulator-clock', '/domains', (page) => page.keyboard.press('c')),
      view('emulator-events', '/events'),
      view('emulator-panel', '/emulator'),
      view('emulator-seed', '/emulator', press('Apply a seed…')),
      view('emulator-reset', '/emulator', press('Reset…')),
      view('emulator-requests', '/requests'),
      view('emulator-request', `/requests/${encodeURIComponent(request?.request_id ?? '')}`),
      view('emulator-mail', `/mail/${encodeURIComponent(mail?.message_id ?? '')}`),
      view('emulator-faults', '/faults'),
      ...Object.entries({ origin: 'careers.acme.com', unknown: 'nobody.example.com' }).map(([name, host]) =>
        at(`edge-${name}`, `http://${host}.localhost:${new URL(emulator.edgeUrl).port}/`),
      ),
      // These pages come last, because each one moves the clock.
      afterPause(view('emulator-domain', `/domains/${ids.broken}`), advance),
      afterPause(view('emulator-domain-active', `/domains/${ids.active}`), advance),
    ],
  });
}
