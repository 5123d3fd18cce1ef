import { connect } from 'node:http2';
import { connect as connectTcp } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { expect, test } from 'vitest';
import { createHostPages } from '../../../shared/connect/serve-host.ts';
import { createAccount } from '../../../shared/operations/accounts/create-account.ts';
import { HOST, route } from '../../edge/edge-under-test.ts';
import { NGINX_PACKAGES } from '../../edge/nginx/nginx-engine.ts';
import { answerOf } from '../../edge/wire/http2-visitor.ts';
import { whyMissing } from '../../fixtures/debian-package.ts';
import { describeUnlessMissing } from '../../fixtures/describe-unless-missing.ts';
import { startEngine } from './engine-under-test.ts';

const NOT_FOUND = 404;
const REFUSED = 429;

describeUnlessMissing(whyMissing(NGINX_PACKAGES), 'A white-label host on nginx limits its visitors', () => {
  test('refuses only the visitor that requests too many pages, whatever address this visitor claims', async () => {
    const port = await startPages();
    const flood = await visit(port, '127.0.0.2', 300);
    expect(flood.filter((status) => status === NOT_FOUND)).toHaveLength(200);
    expect(flood.filter((status) => status === REFUSED)).toHaveLength(100);
    expect(await visit(port, '127.0.0.3', 1)).toEqual([NOT_FOUND]);
  });
});

/** Requests pages over one connection. Each request claims another visitor's address. */
async function visit(port: number, localAddress: string, times: number): Promise<number[]> {
  const session = connect(`https://${HOST}`, {
    createConnection: () =>
      connectTls({
        socket: connectTcp({ port, host: '127.0.0.1', localAddress }),
        servername: HOST,
        ALPNProtocols: ['h2'],
        rejectUnauthorized: false,
      }),
  });
  const ask = async (_: unknown, at: number) => {
    const forged = { ':path': '/connect/unknown', 'x-forwarded-for': `203.0.113.${at % 250}, 127.0.0.1` };
    return (await answerOf(session.request(forged))).status;
  };
  const statuses = await Promise.all(Array.from({ length: times }, ask));
  session.destroy();
  return statuses;
}

/** Starts nginx with the connect pages of one app. @returns the port. */
function startPages(): Promise<number> {
  return startEngine('nginx', async (context) => {
    const { app } = await createAccount(context, { name: 'Agency' });
    // Time stands still, so the rate limits never allow further requests.
    const still = { ...context, wallClock: { ...context.wallClock, now: () => 0 } };
    return {
      findRoute: (hostname) =>
        hostname === HOST ? route(null, { origin: { kind: 'connect' }, app_id: app.id }) : null,
      serveHost: createHostPages(still, () => context.store),
    };
  });
}
