import { type IconName, iconSvg } from '../../core/look/icons.ts';
import { PROVIDERS } from '../../core/providers/providers.ts';
import { html, Markup } from '../../core/text/markup.ts';
import { highlight, renderCode } from '../markdown/code-blocks.ts';
import { type DocsSite, pageHref } from './docs-site.ts';

/** A link: the name of a page, its words, and a note. */
type HomeLink = readonly [name: string, words: string, note?: string];

const CALL = `curl …/v1/domains \\
  -H "Authorization: Bearer $NAMEPLATE_API_KEY" \\
  -H 'Content-Type: application/json' \\
  -d '{"hostname": "careers.acme.com"}'`;

const STEPS = [
  ['You add a hostname', 'One call. The response has the record and a page for your customer.'],
  [
    'Your customer sets a record',
    `The connect page knows ${PROVIDERS.length} DNS providers, and says what is wrong.`,
  ],
  ['Nameplate serves it', 'Three resolvers confirm, the certificate follows, visitors reach your origin.'],
  ['You hear of each change', 'One signed webhook each, retried for a day and kept in a log.'],
] as const;

/** Renders the main element of the first page: the promise with a picture, three ways in, four steps, and an index. */
export function homeMain(site: DocsSite, version: string): Markup {
  const link = ([name, words, note]: HomeLink, ending = html``) =>
    html`<a href="${pageHref(name, site)}">${words}${note === undefined ? '' : html`<span>${note}</span>`}${ending}</a>`;
  const inline = (links: readonly HomeLink[]) =>
    html`${links.map((each, at) => html`${at === 0 ? '' : ', '}${link(each)}`)}`;
  const way = (name: IconName, title: string, words: string, links: readonly HomeLink[], more: Markup) =>
    html`<div class="path"><h3>${icon(name)}${title}</h3><p>${words}</p>
<ul>${links.map((each) => html`<li>${link(each, icon('right'))}</li>`)}</ul><p class="more">${more}</p></div>
`;
  const column = (title: string, links: readonly HomeLink[], last = html``) =>
    html`<div><h3>${title}</h3>${links.map((each) => link(each))}${last}</div>
`;
  const below = (name: string, group?: string) => {
    const children = site.order.find((entry) => entry.name === name)?.children ?? [];
    return children.filter((child) => group === undefined || child.group === group);
  };
  const calls = (group: string): HomeLink => {
    const [first, ...others] = below('api', group);
    return [first?.name ?? 'api', group, `${others.length + 1} calls`];
  };
  return html`<main id="main" tabindex="-1"><article>
<div class="band"><section class="hero"><div>
<p class="eyebrow">Custom domains for your app</p>
<h1>Your customers’ names on your door</h1>
<p class="lede">Your app adds a hostname with one call. Your customer adds one DNS record. Nameplate checks it, gets the certificate, brings the visitors to your app, and tells you about every change.</p>
<p class="cta"><a class="btn lead big" href="${pageHref('quickstart', site)}">Quick start, 5 minutes</a><a class="btn big" href="${pageHref('api', site)}">API reference</a></p>
<p>Or look first, without an account:</p>
${new Markup(renderCode('npx nameplate demo', 'sh'))}</div>
<div class="story" role="img" aria-label="One call adds careers.acme.com. The customer adds one CNAME record. The name is on the door, and its lamp is green.">
<div class="code"><pre>${new Markup(highlight(CALL, 'bash'))}</pre></div>
<p><b>1</b>The response has the record that your customer adds</p>
<dl class="record"><div><dt>CNAME</dt><dd><code>careers</code></dd></div><div><dt>Value</dt><dd><code>f2d25c7fba1246e5.edge.nameplate.example</code></dd></div></dl>
<p><b>2</b>Checked, certified and served, with one signed webhook for each step</p>
<div class="door"><span class="plate"><span>careers.acme.com</span></span><i></i></div>
</div></section></div>
<section class="sect"><h2>Three ways in</h2><div class="paths">
${way(
  'flask',
  'Try it on your machine',
  'The emulator is the whole service in one process, with a clock that you can move.',
  [
    ['quickstart', 'Quick start'],
    ['emulator', 'The emulator'],
    ['ci', 'Testing in CI'],
    ['testing-expiry', '90 days in a second'],
  ],
  html`No account, no DNS, no certificate authority`,
)}
${way(
  'domains',
  'Build it in',
  'Four calls and one webhook. The page for your customer is ready, or yours.',
  [
    ['states', 'Domains and their states'],
    ['connect-page', 'The connect page'],
    ['webhooks', 'Webhooks'],
    ['origins', 'Requests at your origin'],
  ],
  inline([
    ['express', 'Express'],
    ['fastify', 'Fastify'],
    ['hono', 'Hono'],
    ['h3', 'h3'],
    ['nextjs', 'Next.js'],
  ]),
)}
${way(
  'retry',
  'Move and run',
  'Bring hostnames that have visitors today, and keep them healthy.',
  [
    ['moving-in', 'Move without downtime'],
    ['troubleshooting', 'Why is it not active?'],
    ['deploying', 'Deploy the service'],
    ['rotating-secrets', 'Rotate the secret'],
  ],
  html`From ${inline([
    ['from-cloudflare', 'Cloudflare for SaaS'],
    ['from-approximated', 'Approximated'],
    ['from-caddy', 'Caddy'],
  ])}`,
)}</div></section>
<section class="sect"><h2>How it works</h2><p>${link(['how-it-works', 'The whole way, with pictures'])}</p><ol class="how">${STEPS.map(([title, words]) => html`<li><b>${title}</b><p>${words}</p></li>`)}</ol></section>
<section class="sect"><h2>Look it up</h2><div class="look">
${column('API', ['Domains', 'Events', 'Keys', 'Apps'].map(calls))}
${column('When something is wrong', [
  ['errors', 'Errors', `${below('errors').length} codes`],
  ['reasons', 'Status reasons', `${below('reasons').length} codes`],
  ['failed-webhooks', 'Failed webhooks'],
  ['troubleshooting', 'Troubleshooting'],
])}
${column('Code', [
  ['sdk-client', 'JavaScript client'],
  ['verify-in-other-languages', 'Verify in 5 languages'],
  ['embedding', 'Web component'],
  ['mcp', 'For coding agents', 'MCP'],
])}
${column(
  'Terms',
  [
    ['plans-and-limits', 'Plans and limits'],
    ['glossary', 'Glossary'],
    ['changelog', 'Changelog', version],
  ],
  html`<a href="${site.settings.baseUrl}/v1/openapi.json">OpenAPI<span>JSON</span></a>`,
)}</div></section>
</article></main>
`;
}

const icon = (name: IconName) => new Markup(iconSvg(name));
