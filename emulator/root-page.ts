import type { H3 } from 'h3';
import type { EmulatorUrls } from './urls.ts';

/** Serves the address that the emulator prints: redirects browsers to the dashboard, and lists the emulator's parts for programs. */
export function serveRoot(app: H3, { url, edgeUrl, sandboxOrigin }: EmulatorUrls): void {
  const parts = {
    api: `${url}/v1`,
    openapi: `${url}/v1/openapi.json`,
    docs: `${url}/docs`,
    dashboard: `${url}/dashboard`,
    control: `${url}/_emulator/status`,
    edge: edgeUrl,
    sandbox_origin: sandboxOrigin,
  };
  app.on('GET', '/', ({ req }) => {
    const headers = { vary: 'accept', 'cache-control': 'no-store' };
    return req.headers.get('accept')?.includes('text/html')
      ? new Response(null, { status: 302, headers: { ...headers, location: '/dashboard' } })
      : Response.json(parts, { headers });
  });
  // Browsers request this icon with every page.
  app.on(
    'GET',
    '/favicon.ico',
    () => new Response(null, { status: 204, headers: { 'cache-control': 'public, max-age=86400' } }),
  );
}
