import type { AppResource } from '../shared/schema/app.ts';
import type { Output } from './output.ts';
import { printable, printableTime } from './printable.ts';

/** How an app is shown to a person. */
export function appLines(app: AppResource, output: Output): string[] {
  return output.fields([
    ['name', output.paint('bold', printable(app.name))],
    ['id', printable(app.id)],
    ['origin', printable(app.origin_url)],
    ['reachable', reachable(app, output)],
    ['checked', printableTime(app.origin_checked_at)],
    ['webhook', printable(app.webhook_url)],
    ['white-label', whitelabel(app)],
    ['apex redirect', printable(app.apex_redirect_default)],
    ['created', printableTime(app.created_at)],
  ]);
}

function reachable(app: AppResource, output: Output): string {
  if (app.origin_url === null) return '-';
  if (app.origin_reachable) return output.paint('green', `yes, ${printable(app.origin_latency_ms)} ms`);
  return output.paint('red', `no, ${printable(app.origin_status_reason)}`);
}

function whitelabel(app: AppResource): string {
  if (app.whitelabel_host === null) return '-';
  const host = printable(app.whitelabel_host);
  if (app.whitelabel_verified && app.whitelabel_grace_ends_at === null) return `${host}, verified`;
  const until = app.whitelabel_grace_ends_at ? `, until ${printableTime(app.whitelabel_grace_ends_at)}` : '';
  return `${host}: must CNAME to ${printable(app.whitelabel_target)}, found ${printable(app.whitelabel_found)}${until}`;
}
