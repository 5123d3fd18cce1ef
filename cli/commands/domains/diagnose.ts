import { isIP } from 'node:net';
import { boolean, option, string } from '@oclif/core/flags';
import { ApiError, type Client } from '../../../shared/client/client.ts';
import type { Diagnosis } from '../../../shared/schema/diagnosis.ts';
import type { DomainResource } from '../../../shared/schema/domain.ts';
import { domainArg, isDomainId, resolveDomain } from '../../arguments/find-domain.ts';
import { diagnoseLocally, lookupFlags } from '../../diagnose/diagnose-locally.ts';
import { CHANGE_FORMATS, type ChangeFormat, formatChanges } from '../../diagnose/format-changes.ts';
import { type DiagnosisViewOptions, diagnosisLines } from '../../output/diagnosis-view.ts';
import { plainText } from '../../output/plain-text.ts';
import { createProgress } from '../../output/progress.ts';
import { BaseCommand } from '../../runtime/base-command.ts';
import { nullOn, usageError } from '../../runtime/cli-error.ts';
import { DEFAULT_BASE_URL } from '../../settings/base-url.ts';
import type { SettingsFlags } from '../../settings/settings.ts';

export class DomainsDiagnose extends BaseCommand {
  static override description =
    "Lists every problem with a hostname's DNS, how to fix each, and the lookups that were made. For a domain of the app, the server makes the lookups. For any other name, or with --resolver, --target or --address, this machine makes them and uses the API only for the expected records. Exit codes: 0 if healthy, 9 if something needs fixing, 3 if the result is not conclusive yet.";
  static override examples = [
    '<%= config.bin %> domains diagnose careers.acme.com',
    '<%= config.bin %> domains diagnose careers.acme.com --resolver 1.1.1.1 --resolver 8.8.8.8',
    '<%= config.bin %> domains diagnose acme.com --address 203.0.113.10 --json',
    '<%= config.bin %> domains diagnose careers.acme.com --format nsupdate | nsupdate -k acme.key',
  ];
  static override args = domainArg;
  static override flags = {
    ...lookupFlags,
    target: string({ summary: 'Check from this machine for a CNAME to this name', helpValue: '<name>' }),
    address: string({
      summary: 'Check from this machine for this address of an apex domain, repeatable',
      helpValue: '<ip>',
      multiple: true,
      multipleNonGreedy: true,
    }),
    lookups: boolean({ summary: 'Show every lookup' }),
    format: option({
      summary: 'Print only the changes to records that fix the findings, for a program',
      helpValue: `<${CHANGE_FORMATS.join('|')}>`,
      options: CHANGE_FORMATS,
      exclusive: ['json', 'lookups'],
    })(),
  };

  async run(): Promise<number> {
    const { args, flags } = await this.parse(DomainsDiagnose);
    const { target, address: addresses = [], resolver: resolvers } = flags;
    for (const address of addresses) {
      if (isIP(address) === 0)
        throw usageError(`"${address}" is not an IP address.`, 'Give an IPv4 or IPv6 address.');
    }
    const isGiven = target !== undefined || addresses.length > 0;
    const known = isGiven && !isDomainId(args.domain) ? UNKNOWN : await this.#askApi(args.domain, flags);
    const fromHere = isGiven || flags.resolver !== undefined;
    const fromServer = fromHere ? null : await this.#looking(args.domain, this.#serverDiagnosis(known));
    const { format } = flags;
    if (fromServer !== null)
      return this.#show(fromServer, {
        unknown: null,
        allLookups: flags.lookups,
        fromHere: false,
        connectUrl: known.domain?.connect_url ?? null,
        format,
      });

    const { client, domain, baseUrl } = known;
    const local = diagnoseLocally({
      hostname: domain?.hostname ?? args.domain,
      domain,
      app: client === null ? null : await client.apps.get(),
      target,
      addresses,
      resolvers,
      authorityPort: flags['authority-port'],
      docsUrl: `${baseUrl}/docs`,
    });
    const { diagnosis, unknown } = await this.#looking(args.domain, local);
    return this.#show(diagnosis, {
      unknown,
      allLookups: flags.lookups,
      fromHere: true,
      connectUrl: domain?.connect_url ?? null,
      format,
    });
  }

  /** Returns the domain of a hostname or an id from the API. Without an API key, returns `UNKNOWN` for a hostname, and throws for an id. */
  async #askApi(name: string, flags: SettingsFlags): Promise<Known> {
    const needsApi = isDomainId(name);
    const connected = await nullOn(needsApi ? null : 'no_api_key', this.connect(flags));
    if (connected === null) return UNKNOWN;
    const { client, settings } = connected;
    const domain = await nullOn(needsApi ? null : 'not_found', resolveDomain(name, client));
    if (domain === null)
      this.output.note(`${plainText(name)} is not a domain of this app. Checking it from this machine.`);
    return { client, domain, baseUrl: settings.baseUrl };
  }

  /** Shows on a terminal that the lookups are under way, because they can take 20 seconds. */
  async #looking<T>(name: string, work: Promise<T>): Promise<T> {
    const progress = createProgress(this.world, this.output);
    if (progress === null) return work;
    const startedMs = this.world.elapsedMs();
    const show = () => {
      const tookS = Math.floor((this.world.elapsedMs() - startedMs) / 1000);
      progress.show({ hint: `Looking up the DNS of ${plainText(name)}, for at most 20 s: ${tookS} s` });
    };
    const ticking = setInterval(show, TICK_MS);
    try {
      return await work;
    } finally {
      clearInterval(ticking);
      await progress.close();
    }
  }

  /** Returns the server's diagnosis. Returns null if the app has no such domain, or if the server is too old to diagnose. */
  async #serverDiagnosis({ client, domain }: Known): Promise<Diagnosis | null> {
    if (client === null || domain === null) return null;
    try {
      return await client.domains.diagnose(domain.id);
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 404) throw error;
      this.output.note('This server is too old to diagnose domains. Checking from this machine.');
      return null;
    }
  }

  #show(
    diagnosis: Diagnosis,
    { format, ...options }: DiagnosisViewOptions & { format: ChangeFormat | undefined },
  ): number {
    const isForProgram = this.output.json || format !== undefined;
    if (isForProgram && options.unknown !== null) this.output.note(options.unknown);
    if (format === undefined)
      this.output.result(diagnosis, () => diagnosisLines(diagnosis, options, this.output));
    else this.#showChanges(diagnosis, format);
    if (diagnosis.healthy === null) return NOT_CONCLUSIVE;
    return diagnosis.healthy ? 0 : BROKEN;
  }

  #showChanges(diagnosis: Diagnosis, format: ChangeFormat): void {
    const text = formatChanges(diagnosis, format);
    this.output.result(text, () => (text === '' ? [] : [text]));
    const isFixed = diagnosis.findings.every(
      ({ severity, changes }) => severity === 'info' || changes.length > 0,
    );
    if (!isFixed)
      this.output.note('Some findings need more than a change to records. Leave out --format to see them.');
  }
}

/** The exit codes of a diagnosis (`exit-codes.ts`). */
const NOT_CONCLUSIVE = 3;
const BROKEN = 9;

/** How often the seconds on the screen advance. A diagnosis that ends sooner shows no progress. */
const TICK_MS = 1_000;

interface Known {
  client: Client | null;
  /** The app's domain with this hostname; null if there is none. */
  domain: DomainResource | null;
  baseUrl: string;
}

const UNKNOWN: Known = { client: null, domain: null, baseUrl: DEFAULT_BASE_URL };
