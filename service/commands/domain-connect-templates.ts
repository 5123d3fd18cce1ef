import { readFileSync } from 'node:fs';
import { publicKeyRecords, readSigningKey } from '../../shared/core/providers/domain-connect.ts';
import {
  domainConnectTemplates,
  type Template,
} from '../../shared/core/providers/domain-connect-templates.ts';
import type { ServiceCommand } from '../command.ts';
import { readConfig } from '../config.ts';
import { CommandError } from './operator/command-error.ts';

export const domainConnectTemplatesCommand: ServiceCommand = {
  description:
    'Generates the Domain Connect templates of this deployment from its settings. With --json it prints them in full: save each under its file name and submit it to the DNS providers. With --key-file it also prints the TXT records that publish the public key. It changes nothing.',
  examples: [
    'service domain-connect templates nameplate.example --json',
    'service domain-connect templates nameplate.example --name "Nameplate" --key-file domain-connect.pem',
  ],
  args: [
    {
      name: 'provider-id',
      description: 'A domain of yours that identifies the templates to DNS providers',
    },
  ],
  flags: {
    name: { summary: 'Name shown to customers (default: the name of the service)', kind: 'text' },
    'key-domain': {
      summary: 'Domain that publishes the public key (default: the provider id)',
      kind: 'text',
    },
    'key-host': { summary: "DNS label of the public key's records", kind: 'text', default: '_dck1' },
    'key-file': { summary: 'File with the RSA private key (PEM) that signs the links', kind: 'text' },
    'template-version': {
      summary: 'Version of the templates; increase it with each change',
      kind: 'whole_number',
      min: 1,
      default: 1,
    },
  },
  async run({ env, args, flags }) {
    const { settings } = readConfig(env);
    const providerId = args['provider-id'] ?? '';
    const keyDomain = String(flags['key-domain'] ?? providerId);
    for (const name of [providerId, keyDomain]) checkDomain(name);
    const templates = domainConnectTemplates({
      provider_id: providerId,
      provider_name: String(flags['name'] ?? settings.names.service_name),
      key_domain: keyDomain,
      edgeZone: settings.edgeZone,
      edgeIpv4: settings.edgeIpv4,
      edgeIpv6: settings.edgeIpv6,
      txtLabel: settings.names.txtLabel,
      version: Number(flags['template-version']),
    }).map((template) => ({ file: fileOf(template), template }));
    const name = `${String(flags['key-host'])}.${keyDomain}`;
    const keyRecords =
      flags['key-file'] === undefined
        ? []
        : publicKeyRecords(readKey(String(flags['key-file']))).map((value) => ({ type: 'TXT', name, value }));
    return {
      document: { templates, key_records: keyRecords },
      view: {
        columns: ['file', 'records'],
        rows: templates.map(({ file, template }) => [
          file,
          template.records.map(({ type, host }) => `${type} ${host}`).join(', '),
        ]),
        none: 'There are no templates.',
      },
      after: keyRecords.map(({ type, value }) => `${name} ${type} "${value}"`),
    };
  },
};

/** Returns the file name that the public template repository requires. */
function fileOf({ providerId, serviceId }: Template): string {
  return `${providerId}.${serviceId}.json`;
}

function checkDomain(name: string): void {
  if (!/^(?=.{1,253}$)[a-z0-9-]{1,63}(\.[a-z0-9-]{1,63})+$/.test(name))
    throw new CommandError(
      'usage',
      `${JSON.stringify(name)} is not a domain name.`,
      'Use a domain of yours.',
    );
}

function readKey(file: string) {
  try {
    return readSigningKey(readFileSync(file, 'utf8'));
  } catch (error) {
    const why = error instanceof RangeError ? error.message : 'cannot be read';
    throw new CommandError('usage', `${file} ${why}.`, 'Use the file of an RSA private key.', error);
  }
}
