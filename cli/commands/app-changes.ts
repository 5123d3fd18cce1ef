import { readFileSync } from 'node:fs';
import { createKeySchema } from '../../shared/schema/api-key.ts';
import { updateAppSchema } from '../../shared/schema/app.ts';
import { fieldFlags } from '../arguments/field-flags.ts';
import { appLines } from '../output/app-view.ts';
import { plainText } from '../output/plain-text.ts';
import { BaseCommand } from '../runtime/base-command.ts';
import { usageError } from '../runtime/cli-error.ts';

const appFields = fieldFlags(updateAppSchema, {
  name: { summary: 'Name of the app' },
  origin_url: { summary: 'The origin that domains forward to' },
  webhook_url: {
    summary: 'The URL that receives events',
    clear: 'Remove the webhook URL, so that no events are sent',
  },
  whitelabel_host: {
    summary: "The app's own CNAME target",
    clear: 'Remove the white-label host',
  },
  brand_color: {
    summary: 'Accent of the connect page',
    helpValue: '<#rrggbb>',
    clear: 'Use the default accent',
  },
  brand_logo: {
    summary: 'Logo on the connect page: a PNG file',
    helpValue: '<file>',
    clear: 'Remove the logo',
  },
  support_url: {
    summary: 'Where customers get help: an https URL or mailto:',
    clear: 'Remove the link for help',
  },
  return_url: {
    summary: 'Where customers go back to from the connect page',
    clear: 'Remove the link back',
  },
  allow_proxied: { summary: 'Let domains be active behind a proxy or CDN' },
  apex_redirect_default: { flag: 'apex-redirect', summary: 'Default for new apex domains' },
});

export class AppsUpdate extends BaseCommand {
  static override description =
    'Changes the given fields and keeps the others. A new origin is probed before it is saved; the output says whether it is reachable.';
  static override examples = [
    '<%= config.bin %> apps update --origin https://app.example.com',
    '<%= config.bin %> apps update --webhook https://app.example.com/webhooks',
    '<%= config.bin %> apps update --clear-whitelabel',
  ];
  static override flags = { ...appFields.set, ...appFields.clear };

  async run(): Promise<undefined> {
    const { flags } = await this.parse(AppsUpdate);
    const body = appFields.changes(flags);
    if (typeof body.brand_logo === 'string') body.brand_logo = readLogo(body.brand_logo);
    const { client } = await this.connect(flags);
    const app = await client.apps.update(body);
    this.output.result(app, () => appLines(app, this.output));
  }
}

/** Reads a PNG file as a `data:` URL. The server checks its content. */
function readLogo(file: string): string {
  try {
    return `data:image/png;base64,${readFileSync(file, 'base64')}`;
  } catch (error) {
    throw usageError(`${file} cannot be read: ${(error as Error).message}`, 'Name a PNG file.');
  }
}

const keyFields = fieldFlags(createKeySchema, {
  name: { summary: 'A label, 1 to 80 characters' },
  mode: { summary: 'The mode that the key works in' },
});

export class KeysCreate extends BaseCommand {
  static override description =
    'Creates an API key and prints it on stdout. It is shown only this once. A test key can create only test keys.';
  static override examples = [
    '<%= config.bin %> keys create --name ci --mode test',
    '<%= config.bin %> keys create --name production --mode live --json',
  ];
  static override flags = keyFields.set;

  async run(): Promise<undefined> {
    const { flags } = await this.parse(KeysCreate);
    const { client } = await this.connect(flags);
    const created = await client.keys.create(keyFields.body(flags));
    this.output.result(created, () => [plainText(created.key)]);
    if (!this.output.json)
      this.output.tell(`Created ${plainText(created.id)}. Save the key now; it is not shown again.`);
  }
}
