import { readFile } from 'node:fs/promises';
import { boolean, string } from '@oclif/core/flags';
import { APEX_REDIRECTS } from '../../../shared/core/domains/status.ts';
import type { UpdateApp } from '../../../shared/schema/app.ts';
import { appLines } from '../../output/app-view.ts';
import { BaseCommand } from '../../runtime/base-command.ts';
import { usageError } from '../../runtime/cli-error.ts';

export class AppsUpdate extends BaseCommand {
  static override description =
    'Changes the given fields and keeps the others. A new origin is probed before it is saved; the output says whether it is reachable.';
  static override examples = [
    '<%= config.bin %> apps update --origin https://app.example.com',
    '<%= config.bin %> apps update --webhook https://app.example.com/webhooks',
    '<%= config.bin %> apps update --clear-whitelabel',
  ];
  static override flags = {
    name: string({ summary: 'Name of the app' }),
    origin: string({ summary: 'The origin that domains forward to', helpValue: '<url>' }),
    webhook: string({
      summary: 'The URL that receives events',
      helpValue: '<url>',
      exclusive: ['clear-webhook'],
    }),
    'clear-webhook': boolean({ summary: 'Remove the webhook URL, so that no events are sent' }),
    whitelabel: string({
      summary: "The app's own CNAME target",
      helpValue: '<host>',
      exclusive: ['clear-whitelabel'],
    }),
    'clear-whitelabel': boolean({ summary: 'Remove the white-label host' }),
    'brand-color': string({
      summary: 'Accent of the connect page',
      helpValue: '<#rrggbb>',
      exclusive: ['clear-brand-color'],
    }),
    'clear-brand-color': boolean({ summary: 'Use the default accent' }),
    'brand-logo': string({
      summary: 'Logo on the connect page: a PNG file',
      helpValue: '<file>',
      exclusive: ['clear-brand-logo'],
    }),
    'clear-brand-logo': boolean({ summary: 'Remove the logo' }),
    support: string({
      summary: 'Where customers get help: an https URL or mailto:',
      helpValue: '<url>',
      exclusive: ['clear-support'],
    }),
    'clear-support': boolean({ summary: 'Remove the link for help' }),
    return: string({
      summary: 'Where customers go back to from the connect page',
      helpValue: '<url>',
      exclusive: ['clear-return'],
    }),
    'clear-return': boolean({ summary: 'Remove the link back' }),
    'allow-proxied': boolean({ summary: 'Let domains be active behind a proxy or CDN', allowNo: true }),
    'apex-redirect': string({ summary: 'Default for new apex domains', options: APEX_REDIRECTS }),
  };

  async run(): Promise<undefined> {
    const { flags } = await this.parse(AppsUpdate);
    const apexRedirectDefault = APEX_REDIRECTS.find((value) => value === flags['apex-redirect']);
    const body: UpdateApp = {
      ...(flags.name !== undefined && { name: flags.name }),
      ...(flags.origin !== undefined && { origin_url: flags.origin }),
      ...(flags.webhook !== undefined && { webhook_url: flags.webhook }),
      ...(flags['clear-webhook'] && { webhook_url: null }),
      ...(flags.whitelabel !== undefined && { whitelabel_host: flags.whitelabel }),
      ...(flags['clear-whitelabel'] && { whitelabel_host: null }),
      ...(flags['brand-color'] !== undefined && { brand_color: flags['brand-color'] }),
      ...(flags['clear-brand-color'] && { brand_color: null }),
      ...(flags['brand-logo'] !== undefined && { brand_logo: await readLogo(flags['brand-logo']) }),
      ...(flags['clear-brand-logo'] && { brand_logo: null }),
      ...(flags.support !== undefined && { support_url: flags.support }),
      ...(flags['clear-support'] && { support_url: null }),
      ...(flags.return !== undefined && { return_url: flags.return }),
      ...(flags['clear-return'] && { return_url: null }),
      ...(flags['allow-proxied'] !== undefined && { allow_proxied: flags['allow-proxied'] }),
      ...(apexRedirectDefault !== undefined && { apex_redirect_default: apexRedirectDefault }),
    };
    if (Object.keys(body).length === 0) {
      throw usageError('Nothing to change.', 'Add --help to see the flags.');
    }
    const { client } = await this.connect(flags);
    const app = await client.apps.update(body);
    this.output.result(app, () => appLines(app, this.output));
  }
}

/** Reads a PNG file as a `data:` URL. The server checks its content. */
async function readLogo(file: string): Promise<string> {
  try {
    return `data:image/png;base64,${(await readFile(file)).toString('base64')}`;
  } catch (error) {
    throw usageError(`${file} cannot be read: ${(error as Error).message}`, 'Name a PNG file.');
  }
}
