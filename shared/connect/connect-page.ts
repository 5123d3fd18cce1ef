import { html, type Markup } from '../core/markup.ts';
import { PAGE_HEADERS, page } from '../core/page.ts';
import type { Status } from '../core/status.ts';
import type { Context } from '../operations/context.ts';
import { type ConnectDomain, getConnectDomain } from '../operations/get-connect-domain.ts';

/** A page as it is sent. */
export interface PageAnswer {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: string;
}

/** Nobody keeps, indexes, frames or passes on the address of a page that is known by its token alone. */
const HEADERS: Readonly<Record<string, string>> = {
  ...PAGE_HEADERS,
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'x-robots-tag': 'noindex, nofollow',
};

/** What each status means to the customer who owns the hostname. */
const MEANING: Record<Status, string> = {
  pending_dns:
    'Waiting for the DNS records below. They are checked again and again; nothing else is needed from you.',
  verifying: 'The records have been seen. They are confirmed as soon as every resolver shows them.',
  issuing: 'The records are right. The certificate is being obtained.',
  active: 'Connected: the hostname is served over HTTPS.',
  dns_broken:
    'The hostname was connected, but its DNS records were removed or point elsewhere. Restore the records below.',
  cert_failed: 'The certificate could not be obtained. It is tried again by itself.',
  expired: 'The records did not appear within 72 hours. Ask the app to add the hostname again.',
  held: 'The hostname is held for review.',
  deleted: 'The app has removed this hostname. The records are no longer needed.',
};

/** The page that `connect_url` leads to: the hostname, its status, and the records to set (section 1). */
export async function connectPage(context: Context, token: string): Promise<PageAnswer> {
  const found = await getConnectDomain(context, token);
  if (found === null)
    return answer(404, 'No such page', html`<p>This link is not known. Ask the app for a new one.</p>`);
  return answer(200, `Connect ${found.domain.hostname}`, content(found));
}

function content({ app_name, domain }: ConnectDomain): Markup {
  const { status, status_detail } = domain;
  const shows_records = status !== 'deleted' && status !== 'held' && status !== 'expired';
  return html`<h1>${domain.hostname}</h1>
<p>to be connected to <strong>${app_name}</strong></p>
<h2>Status</h2>
<p><strong>${status}</strong>. ${MEANING[status]}</p>
${status_detail === null ? '' : html`<p>${status_detail.hint}</p>`}
${shows_records ? records(domain.dns) : ''}`;
}

function records({ cname, apex }: ConnectDomain['domain']['dns']): Markup {
  const rows = [
    ...(cname === null ? [] : [['CNAME', cname.name, cname.value]]),
    ...(apex?.a.map((address) => ['A', '@', address]) ?? []),
    ...(apex?.aaaa.map((address) => ['AAAA', '@', address]) ?? []),
    ...(apex === null ? [] : [['TXT', apex.txt.name, apex.txt.value]]),
  ].map(
    ([type = '', name = '', value = '']) =>
      html`<tr><td>${type}</td><td><code>${name}</code></td><td><code>${value}</code></td></tr>`,
  );
  return html`<h2>Records to set</h2>
<p>Set them where the DNS of the domain is managed. Names are relative to the domain; <code>@</code> is the domain itself.</p>
<div class="scroll"><table>
<thead><tr><th scope="col">Type</th><th scope="col">Name</th><th scope="col">Value</th></tr></thead>
<tbody>${rows}</tbody>
</table></div>`;
}

function answer(status: number, title: string, main: Markup): PageAnswer {
  return { status, headers: HEADERS, body: page({ title, main }) };
}
