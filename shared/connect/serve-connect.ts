import { assertBodySize, type H3, type H3Event } from 'h3';
import { compressed } from '../adapters/compress.ts';
import type { Context } from '../operations/context.ts';
import { type ConnectHandler, handleConnect } from './handle-connect.ts';
import { MAIL_HANDLERS } from './mail-handlers.tsx';
import { PAGE_HANDLERS } from './page-handlers.tsx';

const ROUTES: readonly [method: 'GET' | 'POST', path: string, handler: ConnectHandler][] = [
  ['GET', '/connect/:token', PAGE_HANDLERS.page],
  ['GET', '/connect/:token/live', PAGE_HANDLERS.live],
  ['POST', '/connect/:token/check', PAGE_HANDLERS.check],
  ['POST', '/connect/:token/notify', PAGE_HANDLERS.notify],
  ['GET', '/connect/mail/:token', MAIL_HANDLERS.mail],
  ['POST', '/connect/mail/:token', MAIL_HANDLERS.confirmMail],
  ['GET', '/connect/mail/:token/unsubscribe', MAIL_HANDLERS.leaveMail],
  ['POST', '/connect/mail/:token/unsubscribe', MAIL_HANDLERS.unsubscribe],
];

/** Maximum size of a form, which contains little more than a mail address. */
const FORM_BYTES_MAX = 4096;

/** The context and the app for which the pages of a host are served. */
export interface ConnectSite {
  context: Context;
  /** The app whose pages are served; null if the pages of all apps are served. */
  appId: string | null;
}

/**
 * Adds the customer's pages to an HTTP server, at the path of `connect_url`. Compressing them is safe: their only secret is the token in
 * the path. To learn it from response sizes, an attacker would already need the token to request the page.
 */
export function serveConnect(app: H3, siteOf: (event: H3Event) => ConnectSite): void {
  for (const [method, path, handler] of ROUTES) {
    app.on(method, path, async (event) => {
      const { context, appId } = siteOf(event);
      const token = event.context.params?.token ?? '';
      const response = await handleConnect(context, handler, {
        token,
        appId,
        url: event.url,
        request: event.req,
        readForm: async () => {
          assertBodySize(event, FORM_BYTES_MAX);
          return new URLSearchParams(await event.req.text());
        },
      });
      return compressed(event.req, response);
    });
  }
}
