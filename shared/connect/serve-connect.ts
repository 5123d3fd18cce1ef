import { assertBodySize, type H3, type H3Event } from 'h3';
import { compressed } from '../adapters/compress.ts';
import type { Context } from '../operations/context.ts';
import { handleConnect } from './handle-connect.tsx';

/** The actions of the customer's pages. `page-handlers.tsx` and `mail-handlers.tsx` have one function for each. */
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

/** Limit of a form, which has an address and a name. */
const FORM_BYTES_MAX = 4096;

/** Where pages are served. */
export interface ConnectSite {
  context: Context;
  /** The app whose pages are served there; null for those of all apps. */
  appId: string | null;
}

/**
 * Adds the customer's pages to the API's app, at the path of `connect_url`. They can be compressed safely: their one secret is the token in
 * the path. To compare response sizes, an attacker would have to make a browser request the page, which takes the token.
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
