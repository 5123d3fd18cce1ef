import type { H3 } from 'h3';
import type { Context } from '../operations/context.ts';
import { connectPage } from './connect-page.ts';

/** Adds the connect page to the API's app, where `connect_url` says it is. */
export function serveConnect(app: H3, context: Context): void {
  app.on('GET', '/connect/:token', async (event) => {
    const { status, headers, body } = await connectPage(context, event.context.params?.token ?? '');
    return new Response(body, { status, headers });
  });
}
