import { string } from '@oclif/core/flags';
import { STATUSES } from '../../../shared/core/domains/status.ts';
import type { DomainResource } from '../../../shared/schema/domain.ts';
import { domainsArg, resolveDomain, resolveDomainId } from '../../arguments/find-domain.ts';
import { durationMs } from '../../arguments/read-values.ts';
import { READY_TO_SWITCH, waitFor } from '../../arguments/wait-for.ts';
import { domainColumns } from '../../output/domain-view.ts';
import { plainText, shellQuote } from '../../output/plain-text.ts';
import { type ArgumentResults, attemptEach } from '../../runtime/attempts.ts';
import { BaseCommand } from '../../runtime/base-command.ts';
import { usageError } from '../../runtime/cli-error.ts';
import { confirm, yesFlag } from '../../runtime/prompt.ts';

export class DomainsVerify extends BaseCommand {
  static override description =
    'Queues a DNS check now instead of at the next scheduled time. For a cert_failed domain, retries the certificate. Allowed once every 15 seconds per domain.';
  static override examples = [
    '<%= config.bin %> domains verify careers.acme.com',
    '<%= config.bin %> domains verify careers.acme.com jobs.acme.com',
  ];
  static override args = domainsArg;

  async run(): Promise<number | undefined> {
    const { args, flags } = await this.parse(DomainsVerify);
    const { client } = await this.connect(flags);
    if (args.domain.length === 1) {
      const [domain = ''] = args.domain;
      const response = await client.domains.verify(await resolveDomainId(domain, client));
      this.output.result(response, () => ['Check queued.', thenWait([domain])]);
      return undefined;
    }
    const attempts = await attemptEach(args.domain, async (domain) => ({
      domain,
      ...(await client.domains.verify(await resolveDomainId(domain, client))),
    }));
    const exit = await this.report(attempts, ({ domain }) => [`Check queued for ${plainText(domain)}.`]);
    if (attempts.done.length > 0 && !this.output.json)
      this.output.note(thenWait(attempts.done.map(({ ref }) => ref)));
    return exit;
  }
}

function thenWait(domains: readonly string[]): string {
  return `Then run: ${shellQuote(['nameplate', 'domains', 'wait', ...domains])}`;
}

export class DomainsRemove extends BaseCommand {
  static override description =
    'Deletes domains. Routing stops within 5 seconds. You can add a hostname again at once, as a new domain.';
  static override examples = [
    '<%= config.bin %> domains remove careers.acme.com --yes',
    '<%= config.bin %> domains remove careers.acme.com jobs.acme.com',
  ];
  static override args = domainsArg;
  static override flags = yesFlag;

  async run(): Promise<number | undefined> {
    const { args, flags } = await this.parse(DomainsRemove);
    const { client } = await this.connect(flags);
    const references = [...new Set(args.domain)];
    const found = await attemptEach(references, (domain) => resolveDomain(domain, client));
    if (references.length === 1) for (const { error } of found.failed) throw error;
    const domains = eachOnce(found.done);
    const names = Array.from(domains.values(), ({ hostname }) => plainText(hostname)).join(', ');
    const them = domains.size === 1 ? 'it' : 'them';
    if (names !== '')
      await confirm(`Delete ${names}? Visitors can then no longer reach ${them}.`, flags.yes, this.world);
    const isOne = domains.size === 1 && found.failed.length === 0;
    if (isOne) return this.forEach([...domains.keys()], remove, deletedLine);
    const removed = await attemptEach([...domains.keys()], remove);
    const failed = [...found.failed, ...removed.failed];
    return this.report({ ...removed, failed, notRun: [...found.notRun, ...removed.notRun] }, deletedLine);

    async function remove(reference: string) {
      const { id = '', hostname = '' } = domains.get(reference) ?? {};
      await client.domains.delete(id);
      return { id, hostname, deleted: true };
    }
  }
}

/** Returns each domain once, with the argument that named it first as the key. A hostname and an id can name the same domain. */
function eachOnce(found: ArgumentResults<DomainResource>['done']): Map<string, DomainResource> {
  const unique = found.filter(
    ({ value }, index) => found.findIndex((other) => other.value.id === value.id) === index,
  );
  return new Map(unique.map(({ ref, value }) => [ref, value]));
}

function deletedLine({ hostname }: { hostname: string }): string[] {
  return [`Deleted ${plainText(hostname)}.`];
}

export class DomainsWait extends BaseCommand {
  static override description =
    'Waits until all the domains are active, or have the status of --for. With --for ready_to_switch, waits for the certificates of hostnames that have not moved yet. Exit codes: 3 if the timeout passes, 9 as soon as a domain cannot get there by itself.';
  static override examples = [
    '<%= config.bin %> domains wait careers.acme.com',
    '<%= config.bin %> domains wait careers.acme.com jobs.acme.com --timeout 30m',
    '<%= config.bin %> domains wait careers.acme.com --for issuing',
    '<%= config.bin %> domains wait careers.acme.com --for ready_to_switch',
  ];
  static override strict = false;
  static override usage = 'domains wait HOSTNAME... [--for active] [--timeout 10m]';
  static override flags = {
    for: string({
      summary: 'The status to wait for, or ready_to_switch',
      options: [...STATUSES, READY_TO_SWITCH],
      default: 'active',
    }),
    timeout: string({ summary: 'How long to wait', helpValue: '<duration>', default: '10m' }),
  };

  async run(): Promise<undefined> {
    const { argv, flags } = await this.parse(DomainsWait);
    if (argv.length === 0) throw usageError('No domain given.', 'Name one or more domains to wait for.');
    const timeoutMs = durationMs(flags.timeout);
    const { client } = await this.connect(flags);
    const ids: string[] = [];
    for (const domain of argv) ids.push(await resolveDomainId(String(domain), client));
    this.waitsFor = String(argv[0]);
    const domains = await waitFor([...new Set(ids)], flags.for, timeoutMs, {
      client,
      output: this.output,
      world: this.world,
    });
    this.output.result({ data: domains }, () => this.output.table(domains, domainColumns(this.output)));
  }
}
