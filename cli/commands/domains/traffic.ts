import { string } from '@oclif/core/args';
import { integer, option, string as stringFlag } from '@oclif/core/flags';
import { timestamp } from '../../../shared/core/instant.ts';
import { TRAFFIC_INTERVALS } from '../../../shared/core/traffic/traffic-range.ts';
import { resolveDomainId } from '../../arguments/find-domain.ts';
import { orNotFound } from '../../arguments/or-not-found.ts';
import { readInstant, serverNowMs } from '../../events/since.ts';
import { trafficLines } from '../../output/traffic-view.ts';
import { BaseCommand } from '../../runtime/base-command.ts';
import { usageError } from '../../runtime/cli-error.ts';

export class DomainsTraffic extends BaseCommand {
  static override description =
    'Shows the traffic that the edge counted for a domain, by hour or day: requests, bytes, statuses, errors of the origin and its latency. Without a domain, shows all domains of the app, and those with the most requests. On a terminal, bars show each hour or day; other outputs have a row for each. Counts appear about ten seconds after a request.';
  static override examples = [
    '<%= config.bin %> domains traffic careers.acme.com',
    '<%= config.bin %> domains traffic careers.acme.com --interval day --since 90d',
    "<%= config.bin %> domains traffic --jq '.top_domains[] | [.hostname, .requests]'",
  ];
  static override args = {
    domain: string({ description: 'Hostname or id of the domain; all domains without one' }),
  };
  static override flags = {
    interval: option({
      summary: 'Length of the periods (default: hour)',
      helpValue: `<${TRAFFIC_INTERVALS.join('|')}>`,
      options: TRAFFIC_INTERVALS,
    })(),
    since: stringFlag({
      summary: 'Start (default: 24 hours or 30 days before the end)',
      helpValue: '<duration or time>',
    }),
    until: stringFlag({ summary: 'End (default: now)', helpValue: '<duration or time>' }),
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
