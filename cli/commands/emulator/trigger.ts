import { string as stringArg } from '@oclif/core/args';
import { string } from '@oclif/core/flags';
import { createClient } from '../../../shared/client/client.ts';
import { nodeFetch } from '../../../shared/client/node-fetch.ts';
import { MANUAL_TRIGGERS } from '../../../shared/core/domains/transitions.ts';
import type { DomainResource } from '../../../shared/schema/domain.ts';
import { domainsArg, resolveDomainId } from '../../arguments/find-domain.ts';
import { askClock } from '../../emulator/clock-ahead.ts';
import { connectControl, type EmulatorControl } from '../../emulator/emulator-control.ts';
import { domainLines } from '../../output/domain-view.ts';
import { BaseCommand } from '../../runtime/base-command.ts';
import { CliError } from '../../runtime/cli-error.ts';

export class EmulatorTrigger extends BaseCommand {
  static override description =
    "Takes a domain through one transition of its state machine, without waiting for its cause. If the transition is impossible in the domain's status, the error lists the possible ones.";
  static override examples = [
    '<%= config.bin %> emulator trigger careers.acme.com dns_gone',
    '<%= config.bin %> emulator trigger careers.acme.com issuance_failed --reason caa_forbids',
    '<%= config.bin %> emulator trigger careers.acme.com jobs.acme.com dns_confirmed',
  ];
  static override args = {
    ...domainsArg,
    trigger: stringArg({ description: 'The transition to take', options: MANUAL_TRIGGERS, required: true }),
  };
  static override flags = { reason: string({ summary: 'The status reason to set' }) };

  async run(): Promise<number | undefined> {
    const { args, flags } = await this.parse(EmulatorTrigger);
    const control = await connectControl(flags, this.world);
    if (this.world.stdout.isTTY) this.output.setClockAhead((await askClock(control.baseUrl))?.aheadMs ?? 0);
    const body = { trigger: args.trigger, ...(flags.reason !== undefined && { reason: flags.reason }) };
    return this.forEach(
      args.domain,
      async (domain) => {
        const path = `/_emulator/domains/${await this.#domainId(domain, control)}/trigger`;
        return control.request<{ domain: DomainResource }>({ method: 'POST', path, body });
      },
      (response) => domainLines(response.domain, this.output),
    );
  }

  /** Finds a domain of the default app by hostname, in test and live mode. For a domain of another app, the user must give the id. */
  async #domainId(reference: string, { request, baseUrl }: EmulatorControl): Promise<string> {
    const status = await request<{ keys?: { test?: string; live?: string } }>({
      method: 'GET',
      path: '/_emulator/status',
    });
    const keys = [status.keys?.test, status.keys?.live].filter((key) => key !== undefined);
    let notFound: unknown = new CliError('not_found', `No domain ${reference}.`, {
      fix: 'Run nameplate domains list to see the domains.',
    });
    for (const apiKey of keys) {
      try {
        return await resolveDomainId(
          reference,
          createClient({ apiKey, baseUrl, fetch: nodeFetch, retries: 0 }),
        );
      } catch (error) {
        if (!(error instanceof CliError && error.code === 'not_found')) throw error;
        notFound = error;
      }
    }
    throw notFound;
  }
}
