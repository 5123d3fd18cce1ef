import type { H3 } from 'h3';

/**
 * Serves the server's own address: redirects browsers to the dashboard, and lists the server's parts for programs.
 * @param url of the server. @param more parts besides those of every server, each a name and its URL.
 */
export function serveRoot(app: H3, url: string, more: Readonly<Record<string, string>> = {}): void {
  const parts = {
    api: `${url}/v1`,
    openapi: `${url}/v1/openapi.json`,
    docs: `${url}/docs`,
    dashboard: `${url}/dashboard`,
    ...more,
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
