import { assertBodySize, type H3 } from 'h3';
import { compressed } from '../adapters/compress.ts';
import type { Context } from '../operations/context.ts';

/** What the customer's pages answer: one function for each stands in `answer-page.tsx` and `answer-mail.tsx`. */
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

/** Of a form: an address and a name. */
const FORM_BYTES_MAX = 4096;

/**
 * Adds the customer's pages to the API's app, where `connect_url` says they are. They are compressed: the one secret of a page is
 * the token in its path, and nobody can make a browser ask for the page, to compare its sizes, who does not know the token already.
 */
export function serveConnect(app: H3, context: Context): void {
  for (const [method, path, action] of ROUTES) {
    app.on(method, path, async (event) => {
      // Loaded when a customer comes: React would double the time that a server takes to start.
      const { answerConnect } = await import('./answer-connect.tsx');
      const token = event.context.params?.token ?? '';
      const answer = await answerConnect(context, action, {
        token,
        url: event.url,
        request: event.req,
        readForm: async () => {
          assertBodySize(event, FORM_BYTES_MAX);
          return new URLSearchParams(await event.req.text());
        },
      });
      return compressed(event.req, answer);
    });
  }
}
