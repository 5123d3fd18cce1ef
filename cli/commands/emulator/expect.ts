import { string as stringArg } from '@oclif/core/args';
import { string } from '@oclif/core/flags';
import type { DomainResource } from '../../../shared/schema/domain.ts';
import type { EventResource } from '../../../shared/schema/event.ts';
import { durationMs } from '../../arguments/duration.ts';
import { connectControl } from '../../emulator/emulator-control.ts';
import { plainText } from '../../output/plain-text.ts';
import { BaseCommand } from '../../runtime/base-command.ts';
import { CliError } from '../../runtime/cli-error.ts';

type Found = EventResource | DomainResource;
type Awaited = { met: true; found: Found } | { met: false; waited: string; nearest: Found | null };

export class EmulatorExpect extends BaseCommand {
  static override description =
    "Waits until something is so: an event (domain.active host=careers.acme.com delivered), how far its delivery is (failed, pending, attempts=8, status_code=500), or the status of a domain (cert_failed host=careers.acme.com reason=caa_forbids). The time is the emulator's: with the clock on auto a day passes at once; where it is frozen, real time counts. Ends with 3 when the time is up.";
  static override examples = [
    '<%= config.bin %> emulator expect "domain.active host=careers.acme.com delivered" --within 30s',
    '<%= config.bin %> emulator expect "domain.created failed attempts=8" --within 25h',
    '<%= config.bin %> emulator expect "dns_broken host=careers.acme.com"',
  ];
  static override args = {
    expectation: stringArg({ description: 'Such as "domain.active delivered"', required: true }),
  };
  static override flags = {
    within: string({ summary: 'How long', helpValue: '<duration>', default: '30s' }),
  };

  async run(): Promise<undefined> {
    const { args, flags } = await this.parse(EmulatorExpect);
    const { expectation: expect } = args;
    const { within } = flags;
    durationMs(within);
    const control = await connectControl(flags, this.world);
    const awaited = await control.request<Awaited>({
      method: 'POST',
      path: '/_emulator/expect',
      body: { expect, within },
    });
    if (!awaited.met) throw ranOut(expect, awaited);
    this.output.result(awaited.found, () => [told(awaited.found)]);
  }
}

function told(found: Found): string {
  if (!('delivery' in found)) {
    const reason = found.status_reason === null ? '' : ` (${found.status_reason})`;
    return plainText(`${found.hostname} is ${found.status}${reason}.`);
  }
  const { status, attempts, last_status_code, last_error } = found.delivery;
  const last = last_status_code ?? last_error;
  const tried = attempts === 0 ? '' : ` after ${attempts} attempts, the last one ${last}`;
  return plainText(`${found.type} of ${found.hostname}: ${status}${tried}.`);
}

function ranOut(expect: string, { waited, nearest }: { waited: string; nearest: Found | null }): CliError {
  return new CliError('wait_ran_out', `"${expect}" had not happened ${waited}.`, {
    fix:
      nearest === null
        ? 'There is nothing like it: look at nameplate events list.'
        : `Nearest is this: ${told(nearest)}`,
    status_detail: { nearest },
  });
}
