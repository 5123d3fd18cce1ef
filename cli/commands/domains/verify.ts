import { domainsArg } from '../../arguments/domain-arg.ts';
import { resolveDomainId } from '../../arguments/find-domain.ts';
import { shellQuote } from '../../arguments/shell-quote.ts';
import { plainText } from '../../output/plain-text.ts';
import { attemptEach } from '../../runtime/attempts.ts';
import { BaseCommand } from '../../runtime/base-command.ts';

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
