import { STATUS_CODES } from 'node:http';
import { ERRORS, type ErrorCode } from '../../core/errors.ts';
import type { Reason, ReasonGroup, Severity } from '../../core/reason.ts';
import { isReasonCode, REASON_CODES, REASONS, reasonDetail } from '../../core/reasons.ts';
import { html, type Markup } from '../../core/text/markup.ts';
import { PAGE_HEADERS, page } from '../../core/text/page.ts';
import { codeOnWire, errorExample } from '../../schema/openapi/error-example.ts';
import { errorCodesOf } from '../../schema/openapi/openapi-responses.ts';
import { ROUTES, type Route } from '../../schema/routes.ts';
import { type DocsSettings, fillGuide, withNames } from './guide-text.ts';
import { guideNames, guideTitle, readGuide } from './guides.ts';
import { renderMarkdown } from './markdown.ts';
import { REASON_EXAMPLES } from './reason-examples.ts';

export interface DocsResponse {
  status: 200 | 404;
  contentType: string;
  /** Headers besides the content type, such as the content security policy. */
  headers: Readonly<Record<string, string>>;
  body: string;
}

/**
 * Serves the public documentation: `/docs`, `/docs/<guide>`, `/docs/errors/<code>` and `/docs/reasons/<code>`. It needs no key.
 * @param path the path of the request, without its query.
 * @returns null if the path is not part of the documentation.
 */
export function docsHandler(path: string, settings: DocsSettings): DocsResponse | null {
  if (path !== '/docs' && !path.startsWith('/docs/')) return null;
  const site = { settings, docsPath: new URL(settings.docsUrl).pathname.replace(/\/$/, '') };
  const [name = '', code, ...rest] = path.replace(/\/$/, '').split('/').slice(2);
  if (code === undefined) return guidePage(name || 'index', site);
  if (name === 'errors' && rest.length === 0) return errorPage(code, site);
  if (name === 'reasons' && rest.length === 0) return reasonPage(code, site);
  return notFound(site, 'guide');
}

interface Site {
  settings: DocsSettings;
  /** The path of `docs_url`, so that links work behind a proxy that serves `/docs` at another path. */
  docsPath: string;
}

function guidePage(name: string, site: Site): DocsResponse {
  const text = readGuide(name);
  if (text === null) return notFound(site, 'guide');
  const filled = fillGuide(text, site.settings, site.docsPath);
  const main = renderMarkdown(filled, (file) => guideHref(file.slice(0, -'.md'.length), site));
  return respond(200, guideTitle(text), main, site);
}

function errorPage(wireCode: string, site: Site): DocsResponse {
  const code = ERROR_CODES.find((each) => codeOnWire(each, site.settings) === wireCode);
  if (!code) return notFound(site, 'errors');
  const { status, message, fix } = ERRORS[code];
  const routes = (Object.values(ROUTES) as Route[]).filter((route) => errorCodesOf(route).includes(code));
  const operations = routes.map(({ method, path }) => html`<li><code>${method} ${path}</code></li>`);
  const main = html`
<h1><code>${wireCode}</code></h1>
<dl>
<dt>HTTP status</dt><dd>${status} ${STATUS_CODES[status] ?? ''}</dd>
<dt>Meaning</dt><dd>${message}</dd>
<dt>What to do</dt><dd>${fix}</dd>
</dl>
<h2>Example</h2>
<pre tabindex="0"><code>${JSON.stringify(errorExample(code, site.settings), null, 2)}</code></pre>
${routes.length > 0 ? html`<h2>Returned by</h2><ul>${operations}</ul>` : ''}
<p><a href="${site.docsPath}/errors">All error codes</a></p>`;
  return respond(200, wireCode, main, site);
}

function reasonPage(code: string, site: Site): DocsResponse {
  if (!isReasonCode(code)) return notFound(site, 'reasons');
  const { group, severity, retryable, title, meaning }: Reason = REASONS[code];
  const example = REASON_EXAMPLES[code];
  const hint = withNames(reasonDetail(code, example).hint, site.settings);
  const main = html`
<h1>${title}</h1>
<p><code>${code}</code> ${GROUPS[group]}.</p>
<dl>
<dt>Meaning</dt><dd>${meaning}</dd>
<dt>What to do</dt><dd>${hint}</dd>
<dt>Severity</dt><dd><code>${severity}</code>: ${SEVERITIES[severity]}.</dd>
<dt>Does it resolve on its own?</dt><dd>${retryable ? 'It can. A later check or attempt may succeed.' : 'No. Someone has to change something.'}</dd>
</dl>
${example === undefined ? '' : html`<p>The values in this advice are examples. The API returns yours with the reason.</p>`}
<p><a href="${site.docsPath}/reasons">All status reasons</a></p>`;
  return respond(200, code, main, site);
}

/** Builds a 404 page that lists what exists instead. It repeats nothing of the path. */
function notFound(site: Site, what: 'guide' | 'errors' | 'reasons'): DocsResponse {
  const codes = {
    guide: guideNames().map((name) => ({
      href: guideHref(name, site),
      label: guideTitle(readGuide(name) ?? ''),
    })),
    errors: ERROR_CODES.map((code) => codeLink('errors', codeOnWire(code, site.settings), site)),
    reasons: REASON_CODES.map((code) => codeLink('reasons', code, site)),
  }[what];
  const title = { guide: 'No such page', errors: 'No such error code', reasons: 'No such status reason' }[
    what
  ];
  const items = codes.map(({ href, label }) => html`<li><a href="${href}">${label}</a></li>`);
  return respond(404, title, html`<h1>${title}</h1><p>This version has:</p><ul>${items}</ul>`, site);
}

function respond(status: 200 | 404, title: string, main: Markup, site: Site): DocsResponse {
  const nav = [
    { href: guideHref('index', site), label: 'Documentation' },
    { href: guideHref('quickstart', site), label: 'Quick start' },
    { href: guideHref('errors', site), label: 'Error codes' },
    { href: guideHref('reasons', site), label: 'Status reasons' },
  ];
  const body = page({ title, nav, main });
  return { status, contentType: 'text/html; charset=utf-8', headers: PAGE_HEADERS, body };
}

function guideHref(name: string, { docsPath }: Site): string {
  return name === 'index' ? docsPath || '/' : `${docsPath}/${name}`;
}

function codeLink(folder: 'errors' | 'reasons', code: string, { docsPath }: Site) {
  return { href: `${docsPath}/${folder}/${code}`, label: code };
}

const ERROR_CODES = Object.keys(ERRORS) as ErrorCode[];

const GROUPS: Record<ReasonGroup, string> = {
  dns: 'is a result of a DNS check',
  ca: 'is a result of issuing or renewing the certificate',
  origin: 'is a result of probing the origin',
  whitelabel: 'concerns the white-label host',
  other: 'concerns the domain as a whole',
};

const SEVERITIES: Record<Severity, string> = {
  error: 'the domain cannot work until this is fixed',
  warning: 'it may affect the domain',
  info: 'it resolves with time',
};
