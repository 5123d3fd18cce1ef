import { string as stringArg } from '@oclif/core/args';
import { integer, option, string } from '@oclif/core/flags';
import { allPages } from '../../../shared/client/pages.ts';
import { timestamp } from '../../../shared/core/instant.ts';
import { TRAFFIC_INTERVALS } from '../../../shared/core/traffic/traffic-range.ts';
import type { ListCertificatesQuery } from '../../../shared/schema/certificate.ts';
import { orNotFound } from '../../arguments/explain-api-error.ts';
import { domainArg, domainsArg, resolveDomain, resolveDomainId } from '../../arguments/find-domain.ts';
import { ListCommand, listFlags } from '../../arguments/list-flags.ts';
import { readInstant } from '../../arguments/read-values.ts';
import { serverNowMs } from '../../emulator/clock-ahead.ts';
import { CERTIFICATE_FIELDS, HISTORY_COLUMNS } from '../../output/certificate-view.ts';
import { challengeLines, domainLines, recordLines } from '../../output/domain-view.ts';
import { plainText } from '../../output/plain-text.ts';
import { trafficLines } from '../../output/traffic-view.ts';
import { BaseCommand } from '../../runtime/base-command.ts';
import { usageError } from '../../runtime/cli-error.ts';
import { openUrl } from '../../runtime/open-url.ts';

export class DomainsGet extends BaseCommand {
  static override description =
    'Shows domains: the status and its reason, the DNS records, and the certificate.';
  static override examples = [
    '<%= config.bin %> domains get careers.acme.com',
    '<%= config.bin %> domains get careers.acme.com jobs.acme.com',
    '<%= config.bin %> domains get dom_01k… --json',
  ];
  static override args = domainsArg;

  async run(): Promise<number | undefined> {
    const { args, flags } = await this.parse(DomainsGet);
    const { client } = await this.connect(flags);
    const { output } = this;
    return this.forEach(
      args.domain,
      (domain) => resolveDomain(domain, client),
      (domain) => [
        ...domainLines(domain, output),
        '',
        ...recordLines(domain, output),
        ...challengeLines(domain, output),
      ],
    );
  }
}

export class DomainsOpen extends BaseCommand {
  static override description =
    "Opens the domain's connect page, where your customer sets up the DNS, and prints its address. Without a terminal, only prints the address.";
  static override examples = ['<%= config.bin %> domains open careers.acme.com'];
  static override args = domainArg;

  async run(): Promise<undefined> {
    const { args, flags } = await this.parse(DomainsOpen);
    const { client } = await this.connect(flags);
    const { connect_url } = await resolveDomain(args.domain, client);
    this.output.result({ connect_url }, () => [plainText(connect_url)]);
    if (this.world.stdout.isTTY && !this.output.json) await openUrl(connect_url);
  }
}

export class DomainsTraffic extends BaseCommand {
  static override description =
    'Shows the traffic that the edge counted for a domain, by hour or day: requests, bytes, statuses, errors of the origin and its latency. Without a domain, shows all domains of the app, and those with the most requests. On a terminal, bars show each hour or day; other outputs have a row for each. Counts appear about ten seconds after a request.';
  static override examples = [
    '<%= config.bin %> domains traffic careers.acme.com',
    '<%= config.bin %> domains traffic careers.acme.com --interval day --since 90d',
    "<%= config.bin %> domains traffic --jq '.top_domains[] | [.hostname, .requests]'",
  ];
  static override args = {
    domain: stringArg({ description: 'Hostname or id of the domain; all domains without one' }),
  };
  static override flags = {
    interval: option({
      summary: 'Length of the periods (default: hour)',
      helpValue: `<${TRAFFIC_INTERVALS.join('|')}>`,
      options: TRAFFIC_INTERVALS,
    })(),
    since: string({
      summary: 'Start (default: 24 hours or 30 days before the end)',
      helpValue: '<duration or time>',
    }),
    until: string({ summary: 'End (default: now)', helpValue: '<duration or time>' }),
    limit: integer({
      summary: 'Number of domains to list without a domain, 1 to 100',
      min: 1,
      max: 100,
      helpValue: '<n>',
    }),
  };

  async run(): Promise<undefined> {
    const { args, flags } = await this.parse(DomainsTraffic);
    const { domain } = args;
    const { interval, since, until, limit } = flags;
    if (domain !== undefined && limit !== undefined)
      throw usageError('--limit is for all domains.', 'Leave out --limit, or the domain.');
    const [from, to] = [since, until].map((text) => (text === undefined ? null : readInstant(text)));
    const { client, settings } = await this.connect(flags);
    const nowMs = await serverNowMs(settings);
    const query = {
      ...(interval !== undefined && { interval }),
      ...(from && { since: timestamp(from(nowMs)) }),
      ...(to && { until: timestamp(to(nowMs)) }),
    };
    if (domain === undefined) {
      const traffic = await client.traffic.get({ ...query, ...(limit !== undefined && { limit }) });
      this.output.result(traffic, () => trafficLines(traffic, this.output));
      return;
    }
    const id = await resolveDomainId(domain, client);
    const traffic = await orNotFound(
      client.domains.traffic(id, query),
      `domain ${domain}`,
      'nameplate domains list',
    );
    this.output.result(traffic, () => trafficLines(traffic, this.output));
  }
}

export class CertificatesHistory extends ListCommand {
  static override description =
    'Lists the certificates that the edge serves or has served for a domain, newest first: when each was served, who issued it, when it expires, and its hostnames. Search the public certificate logs by the serial number.';
  static override examples = [
    '<%= config.bin %> certificates history careers.acme.com',
    "<%= config.bin %> certificates history careers.acme.com --jq '.data[].serial_number'",
  ];
  static override args = domainArg;
  static override flags = listFlags;

  async run(): Promise<undefined> {
    const { args, flags } = await this.parse(CertificatesHistory);
    const none = 'This domain has had no certificate yet.';
    const view = { columns: HISTORY_COLUMNS, fields: CERTIFICATE_FIELDS, none };
    return this.list(flags, view, async (client) => {
      const domainId = await resolveDomainId(args.domain, client);
      const list = (query: Partial<ListCertificatesQuery>) => client.domains.certificates(domainId, query);
      return { source: { list, all: (query) => allPages(list, query) }, query: {} };
    });
  }
}
