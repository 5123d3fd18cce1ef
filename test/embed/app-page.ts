import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { build } from 'esbuild';

const root = path.resolve(import.meta.dirname, '../..');

/** The site of an app that embeds the component `<nameplate-connect>`. The site and the API have different origins. */
export interface AppPage extends AsyncDisposable {
  /** Sets the page that the site shows. Returns the page's URL. */
  show(page: ShownPage): string;
}

export interface ShownPage {
  token: string;
  baseUrl: string;
  lang?: string;
  dir?: 'ltr' | 'rtl';
  /** CSS that the app adds to the page. */
  style?: string;
  /** A script that the app runs before the component is defined. */
  script?: string;
  /** True for a page that React renders, with the React wrapper of the component. */
  usesReact?: true;
}

/**
 * Serves the site, with the component that `connectUnderTest` builds. The site's content security policy permits only its own scripts and
 * styles, and requests to the API.
 */
export async function serveAppPage(): Promise<AppPage> {
  let shown: ShownPage = { token: '', baseUrl: '' };
  const server = createServer(async (req, res) => {
    const { contentType, body } = await fileAt(req.url ?? '/', shown);
    const origin = new URL(shown.baseUrl || 'http://localhost').origin;
    res.writeHead(body === null ? 404 : 200, {
      'content-type': contentType,
      'content-security-policy': `default-src 'none'; script-src 'self'; style-src 'self'; connect-src ${origin}; base-uri 'none'; require-trusted-types-for 'script'`,
    });
    res.end(body ?? '');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return {
    show(page) {
      shown = page;
      return url;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function fileAt(file: string, shown: ShownPage): Promise<{ contentType: string; body: string | null }> {
  if (file === '/') return { contentType: 'text/html; charset=utf-8', body: pageOf(shown) };
  if (file === '/app.css') return { contentType: 'text/css', body: shown.style ?? '' };
  if (file === '/app.js')
    return { contentType: 'text/javascript', body: `${RECORD_EVENTS}\n${shown.script ?? ''}` };
  if (file === '/react-app.js') return { contentType: 'text/javascript', body: await bundleReactApp(shown) };
  if (file === '/connect.js')
    return { contentType: 'text/javascript', body: readFileSync(path.join(root, 'dist/connect.js'), 'utf8') };
  return { contentType: 'text/plain', body: null };
}

/** A script that collects the component's events in `events`. */
const RECORD_EVENTS = `
globalThis.events = [];
for (const name of ['status', 'pending_dns', 'verifying', 'issuing', 'active', 'token-expired', 'error'])
  addEventListener('nameplate:' + name, ({ type, detail }) => events.push({ type, ...detail }));
`;

/** Bundles an app that renders the package's React wrapper, as an app's own bundler does. */
async function bundleReactApp({ token, baseUrl }: ShownPage): Promise<string> {
  const contents = `
    import { createElement } from 'react';
    import { createRoot } from 'react-dom/client';
    import { NameplateConnect } from 'nameplate/connect/react';
    const heard = (name) => (detail) => events.push({ type: 'react ' + name, status: detail.status });
    createRoot(document.querySelector('#app')).render(createElement(NameplateConnect, {
      token: ${JSON.stringify(token)}, baseUrl: ${JSON.stringify(baseUrl)}, className: 'mine',
      onStatus: heard('onStatus'), onActive: heard('onActive'),
    }, 'Loading…'));`;
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: root },
    bundle: true,
    write: false,
    format: 'esm',
    define: { 'process.env.NODE_ENV': '"production"' },
  });
  return outputFiles[0]?.text ?? '';
}

function pageOf({ token, baseUrl, lang = 'en', dir = 'ltr', usesReact }: ShownPage): string {
  const component = `<nameplate-connect token="${token}" base-url="${baseUrl}"><p>Loading…</p></nameplate-connect>`;
  return `<!doctype html>
<html lang="${lang}" dir="${dir}">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Domains – Acme</title>
<link rel="stylesheet" href="/app.css">
<script src="/app.js"></script><script type="module" src="${usesReact ? '/react-app.js' : '/connect.js'}"></script>
</head>
<body><main><h1>Your domain</h1>
<div id="app">${usesReact ? '' : component}</div>
</main></body>
</html>`;
}
