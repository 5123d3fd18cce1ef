import { string as stringArg } from '@oclif/core/args';
import { string } from '@oclif/core/flags';
import type { DomainResource } from '../../../shared/schema/domain.ts';
import type { EventResource } from '../../../shared/schema/event.ts';
import { durationMs } from '../../arguments/read-values.ts';
import { connectControl } from '../../emulator/emulator-control.ts';
import { counted } from '../../events/event-words.ts';
import { plainText } from '../../output/plain-text.ts';
import { BaseCommand } from '../../runtime/base-command.ts';
import { CliError } from '../../runtime/cli-error.ts';

type Found = EventResource | DomainResource;
type Awaited = { met: true; found: Found } | { met: false; waited: string; nearest: Found | null };

export class EmulatorExpect extends BaseCommand {
  static override description =
    "Waits for an event (domain.active host=careers.acme.com), for the state of its delivery (delivered, failed, pending, attempts=8, status_code=500), or for the status of a domain (cert_failed host=careers.acme.com reason=caa_forbids). --within counts the emulator's time, so with the auto clock a day passes at once. With a frozen clock, it counts real time. The exit code is 3 if the time runs out.";
  static override examples = [
    '<%= config.bin %> emulator expect "domain.active host=careers.acme.com delivered" --within 30s',
    '<%= config.bin %> emulator expect "domain.created failed attempts=8" --within 25h',
    '<%= config.bin %> emulator expect "dns_broken host=careers.acme.com"',
  ];
  static override args = {
    expectation: stringArg({
      description: 'What to wait for, such as "domain.active delivered"',
      required: true,
    }),
  };
  static override flags = {
    within: string({ summary: 'How long to wait', helpValue: '<duration>', default: '30s' }),
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
    this.output.result(awaited.found, () => [describeFound(awaited.found)]);
  }
}

function describeFound(found: Found): string {
  if (!('delivery' in found)) {
    const reason = found.status_reason === null ? '' : ` (${found.status_reason})`;
    return plainText(`${found.hostname} is ${found.status}${reason}.`);
  }
  const { status, attempts, last_status_code, last_error } = found.delivery;
  const last = last_status_code ?? last_error;
  const tried = attempts === 0 ? '' : ` after ${counted(attempts, 'attempt')} (last: ${last})`;
  const delivery = status === 'none' ? 'not sent (no webhook)' : `${status}${tried}`;
  return plainText(`${found.type} for ${found.hostname}: ${delivery}.`);
}

function ranOut(expect: string, { waited, nearest }: { waited: string; nearest: Found | null }): CliError {
  return new CliError('wait_ran_out', `"${expect}" had not happened ${waited}.`, {
    fix:
      nearest === null
        ? 'Nothing similar happened. Run nameplate events list to see the events.'
        : `The nearest match is ${describeFound(nearest)}`,
    status_detail: { nearest },
  });
}
