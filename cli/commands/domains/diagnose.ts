import { isIP } from 'node:net';
import { boolean, integer, string } from '@oclif/core/flags';
import { ApiError, type Client } from '../../../shared/client/client.ts';
import type { Diagnosis } from '../../../shared/schema/diagnosis.ts';
import type { DomainResource } from '../../../shared/schema/domain.ts';
import { domainArg } from '../../arguments/domain-arg.ts';
import { findDomain, isDomainId } from '../../arguments/find-domain.ts';
import { type DiagnosisViewOptions, diagnosisLines } from '../../output/diagnosis-view.ts';
import { plainText } from '../../output/plain-text.ts';
import { BaseCommand } from '../../runtime/base-command.ts';
import { CliError, usageError } from '../../runtime/cli-error.ts';
import { DEFAULT_BASE_URL } from '../../settings/base-url.ts';
import type { SettingsFlags } from '../../settings/settings.ts';

export class DomainsDiagnose extends BaseCommand {
  static override description =
    "Says everything that is wrong with a hostname in the DNS, what to do about it, and what was looked up. The server looks at a domain of the app. A name that is not added is looked at from here, and so is any name with --resolver, --target or --address: then only the DNS is asked, beside the API for what the record should be. Ends with 0 when all is right, 9 when something has to be corrected, 3 when time alone decides or it can't be told.";
  static override examples = [
    '<%= config.bin %> domains diagnose careers.acme.com',
    '<%= config.bin %> domains diagnose careers.acme.com --resolver 1.1.1.1 --resolver 8.8.8.8',
    '<%= config.bin %> domains diagnose acme.com --address 203.0.113.10 --json',
  ];
  static override args = domainArg;
  static override flags = {
    resolver: string({
      summary: 'Look from here and ask this resolver, repeatable; three public ones by default',
      helpValue: '<ip[:port]>',
      multiple: true,
      multipleNonGreedy: true,
    }),
    target: string({ summary: 'Look from here for a CNAME to this name', helpValue: '<name>' }),
    address: string({
      summary: 'Look from here for this address of an apex domain, repeatable',
      helpValue: '<ip>',
      multiple: true,
      multipleNonGreedy: true,
    }),
    lookups: boolean({ summary: 'Show every look-up' }),
    'authority-port': integer({ hidden: true, min: 1, max: 65_535 }),
  };

  async run(): Promise<number> {
    const { args, flags } = await this.parse(DomainsDiagnose);
    const { target, address: addresses = [], resolver: resolvers = PUBLIC_RESOLVERS } = flags;
    for (const address of addresses) {
      if (isIP(address) === 0)
        throw usageError(`"${address}" is not an address.`, 'Give an IPv4 or IPv6 address.');
    }
    const is_told = target !== undefined || addresses.length > 0;
    const known = is_told && !isDomainId(args.domain) ? NOTHING : await this.#ask(args.domain, flags);
    const from_here = is_told || flags.resolver !== undefined;
    const answered = from_here ? null : await this.#diagnosisOf(known);
    if (answered !== null)
      return this.#show(answered, { unknown: null, all_lookups: flags.lookups, from_here: false });

    const { client, domain, base_url } = known;
    const { lookFromHere } = await import('../../diagnose/look-from-here.ts');
    const { diagnosis, unknown } = await lookFromHere({
      hostname: domain?.hostname ?? args.domain,
      domain,
      app: client === null ? null : await client.apps.get(),
      target,
      addresses,
      resolvers,
      authority_port: flags['authority-port'],
      docs_url: `${base_url}/docs`,
    });
    return this.#show(diagnosis, { unknown, all_lookups: flags.lookups, from_here: true });
  }

  /** What the API knows of a name: nothing without a key. An id says nothing without the API. */
  async #ask(name: string, flags: SettingsFlags): Promise<Known> {
    const needs_api = isDomainId(name);
    const connected = await unless('no_api_key', this.connect(flags), needs_api);
    if (connected === null) return NOTHING;
    const { client, settings } = connected;
    const domain = await unless('not_found', findDomain(name, client), needs_api);
    if (domain === null)
      this.output.note(`${plainText(name)} is not a domain of this app; this machine looks it up.`);
    return { client, domain, base_url: settings.base_url };
  }

  /** Null where the server can't say: there is no such domain, or no such endpoint. */
  async #diagnosisOf({ client, domain }: Known): Promise<Diagnosis | null> {
    if (client === null || domain === null) return null;
    try {
      return await client.domains.diagnose(domain.id);
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 404) throw error;
      this.output.note('This server is older and has no diagnosis: looking from here.');
      return null;
    }
  }

  #show(diagnosis: Diagnosis, options: DiagnosisViewOptions): number {
    if (this.output.json && options.unknown !== null) this.output.note(options.unknown);
    this.output.result(diagnosis, () => diagnosisLines(diagnosis, options, this.output));
    if (diagnosis.healthy === null) return COULD_NOT_TELL;
    return diagnosis.healthy ? 0 : BROKEN;
  }
}

const PUBLIC_RESOLVERS = ['1.1.1.1', '8.8.8.8', '9.9.9.9'];

/** `help exit-codes`. */
const COULD_NOT_TELL = 3;
const BROKEN = 9;

interface Known {
  client: Client | null;
  /** Null for a name that is not added. */
  domain: DomainResource | null;
  base_url: string;
}

const NOTHING: Known = { client: null, domain: null, base_url: DEFAULT_BASE_URL };

/** Null for an error of our own with this code, unless it matters. */
async function unless<T>(code: string, work: Promise<T>, matters: boolean): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof CliError && error.code === code && !matters) return null;
    throw error;
  }
}
