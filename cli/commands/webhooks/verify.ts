import { string } from '@oclif/core/flags';
import { serviceNames } from '../../../shared/core/service-name.ts';
import { durationMs } from '../../arguments/duration.ts';
import { plainText } from '../../output/plain-text.ts';
import { BaseCommand } from '../../runtime/base-command.ts';
import { CliError } from '../../runtime/cli-error.ts';
import { type Explanation, explainSignature } from '../../webhooks/explain-signature.ts';
import { readWebhookBody, secretOf, webhookFlags } from '../../webhooks/webhook-input.ts';

export class WebhooksVerify extends BaseCommand {
  static override description =
    'Verifies a webhook as your receiver should. If the signature is invalid, explains why: for example its age, the secret, a body that was parsed and serialised again, or a malformed header. The exit code is then 1. It contacts no server.';
  static override examples = [
    "<%= config.bin %> webhooks verify --body body.json --signature 't=1800000000,v1=…' --secret whsec_…",
    "cat body.json | <%= config.bin %> webhooks verify --body - --signature 't=…,v1=…'",
  ];
  static override flags = {
    ...webhookFlags,
    signature: string({ summary: 'The Service-Signature header', helpValue: 't=…,v1=…', required: true }),
    tolerance: string({ summary: 'Maximum age of the signature', helpValue: '<duration>', default: '5m' }),
  };

  async run(): Promise<undefined> {
    const { flags } = await this.parse(WebhooksVerify);
    const toleranceS = Math.floor(durationMs(flags.tolerance) / 1000);
    const secret = secretOf(flags.secret, this.world);
    const body = await readWebhookBody(flags.body, this.world);
    const signature = flags.signature.replace(HEADER_NAME, '');
    const explained = await explainSignature({
      body,
      signature,
      secret,
      now: new Date(),
      toleranceS,
    });
    if (!explained.is_valid) throw notValid(explained);
    const { event, age_s } = explained;
    const { id, type, created_at } = event;
    this.output.result({ valid: true, age_s, event: { id, type, created_at } }, () =>
      this.output.prose(
        `The signature is valid: ${plainText(type)} ${plainText(id)}, signed ${age_s} s ago.`,
      ),
    );
  }
}

/** The header's name before the value, as `webhooks sign` and header logs print it. */
const HEADER_NAME = new RegExp(`^\\s*${serviceNames('Service').signature_header}:\\s*`, 'i');

function notValid({ reason, message, mistakes }: Extract<Explanation, { is_valid: false }>): CliError {
  return new CliError(
    'signature_not_valid',
    [message, ...mistakes.map((mistake) => mistake.message)].join('\n'),
    {
      fix: mistakes.map(({ fix }) => fix).join(' '),
      status_detail: { reason, causes: mistakes },
    },
  );
}
