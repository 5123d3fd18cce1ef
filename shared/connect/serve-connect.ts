import { assertBodySize, type H3, type H3Event } from 'h3';
import { compressed } from '../adapters/compress.ts';
import type { Context } from '../operations/context.ts';
import { handleConnect } from './handle-connect.tsx';

/** The actions of the customer's pages. `page-handlers.tsx` and `mail-handlers.tsx` have one handler for each action. */
export type ConnectAction =
  | 'page'
  | 'live'
  | 'check'
  | 'notify'
  | 'mail'
  | 'confirm_mail'
  | 'leave_mail'
  | 'unsubscribe';

const ROUTES: readonly [method: 'GET' | 'POST', path: string, action: ConnectAction][] = [
  ['GET', '/connect/:token', 'page'],
  ['GET', '/connect/:token/live', 'live'],
  ['POST', '/connect/:token/check', 'check'],
  ['POST', '/connect/:token/notify', 'notify'],
  ['GET', '/connect/mail/:token', 'mail'],
  ['POST', '/connect/mail/:token', 'confirm_mail'],
  ['GET', '/connect/mail/:token/unsubscribe', 'leave_mail'],
  ['POST', '/connect/mail/:token/unsubscribe', 'unsubscribe'],
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
  for (const [method, path, action] of ROUTES) {
    app.on(method, path, async (event) => {
      const { context, appId } = siteOf(event);
      const token = event.context.params?.token ?? '';
      const response = await handleConnect(context, action, {
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
