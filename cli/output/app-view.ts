import type { AppResource } from '../../shared/schema/app.ts';
import { BAD_MARK, GOOD_MARK, painted } from './marks.ts';
import type { Output } from './output.ts';
import { plainText } from './plain-text.ts';

/** Formats an app as text. */
export function appLines(app: AppResource, output: Output): string[] {
  return output.fields([
    ['name', output.paint('bold', plainText(app.name))],
    ['id', plainText(app.id)],
    ['origin', plainText(app.origin_url)],
    ['reachable', reachable(app, output)],
    ['checked', output.time(app.origin_checked_at)],
    ['webhook', plainText(app.webhook_url)],
    ['white-label', whitelabel(app, output)],
    ['brand', brand(app)],
    ['support', plainText(app.support_url)],
    ['return', plainText(app.return_url)],
    ['apex redirect', plainText(app.apex_redirect_default)],
    // An older server does not return `allow_proxied`.
    ['proxies', app.allow_proxied === false ? 'not allowed' : 'allowed'],
    ['created', output.time(app.created_at)],
  ]);
}

function reachable(app: AppResource, output: Output): string {
  if (app.origin_url === null) return '-';
  if (app.origin_reachable) return painted(GOOD_MARK, `yes, ${plainText(app.origin_latency_ms)} ms`, output);
  return painted(BAD_MARK, `no, ${plainText(app.origin_status_reason)}`, output);
}

function brand({ brand_color, brand_logo }: AppResource): string {
  if (brand_color === null && brand_logo === null) return '-';
  return [plainText(brand_color), brand_logo === null ? 'no logo' : 'with a logo'].join(', ');
}

function whitelabel(app: AppResource, output: Output): string {
  if (app.whitelabel_host === null) return '-';
  const host = plainText(app.whitelabel_host);
  if (app.whitelabel_verified && app.whitelabel_grace_ends_at === null) return `${host}, verified`;
  const until = app.whitelabel_grace_ends_at ? `, until ${output.time(app.whitelabel_grace_ends_at)}` : '';
  return `${host}: needs a CNAME to ${plainText(app.whitelabel_target)}, found ${plainText(app.whitelabel_found)}${until}`;
}
