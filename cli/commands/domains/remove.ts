import type { DomainResource } from '../../../shared/schema/domain.ts';
import { domainsArg } from '../../arguments/domain-arg.ts';
import { resolveDomain } from '../../arguments/find-domain.ts';
import { yesFlag } from '../../arguments/yes-flag.ts';
import { plainText } from '../../output/plain-text.ts';
import { type ArgumentResults, attemptEach } from '../../runtime/attempts.ts';
import { BaseCommand } from '../../runtime/base-command.ts';
import { confirm } from '../../runtime/prompt.ts';

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

/** Returns the domains by the first argument that names each. Two arguments can name one domain, by its hostname and by its id. */
function eachOnce(found: ArgumentResults<DomainResource>['done']): Map<string, DomainResource> {
  const unique = found.filter(
    ({ value }, index) => found.findIndex((other) => other.value.id === value.id) === index,
  );
  return new Map(unique.map(({ ref, value }) => [ref, value]));
}

function deletedLine({ hostname }: { hostname: string }): string[] {
  return [`Deleted ${plainText(hostname)}.`];
}
