import type { H3 } from 'h3';
import type { EmulatorUrls } from './urls.ts';

/** Adds what a person or a program finds at the address that the emulator prints: the inspector, or a list of its parts. */
export function serveRoot(app: H3, { url, edge_url, sandbox_origin }: EmulatorUrls): void {
  const parts = {
    api: `${url}/v1`,
    openapi: `${url}/v1/openapi.json`,
    docs: `${url}/docs`,
    inspector: `${url}/_emulator/ui`,
    control: `${url}/_emulator/status`,
    edge: edge_url,
    sandbox_origin,
  };
  app.on('GET', '/', ({ req }) => {
    const headers = { vary: 'accept', 'cache-control': 'no-store' };
    return req.headers.get('accept')?.includes('text/html')
      ? new Response(null, { status: 302, headers: { ...headers, location: '/_emulator/ui' } })
      : Response.json(parts, { headers });
  });
  // Browsers ask for it beside every page.
  app.on('GET', '/favicon.ico', () => new Response(null, { status: 204 }));
}
