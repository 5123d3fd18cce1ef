import { isUtf8 } from 'node:buffer';
import { integer } from '@oclif/core/flags';
import { serviceNames } from '../../../shared/core/service-name.ts';
import { signWebhook, standardWebhookSignature } from '../../../shared/core/webhooks/signature.ts';
import { BaseCommand } from '../../runtime/base-command.ts';
import { usageError } from '../../runtime/cli-error.ts';
import { readWebhookBody, secretOf, webhookFlags } from '../../webhooks/webhook-input.ts';

const NAMES = serviceNames('Service');

export class WebhooksSign extends BaseCommand {
  static override description =
    'Signs a body as Nameplate does, to test a receiver. Prints the header in the form that curl -H takes. --json adds the Standard Webhooks headers.';
  static override examples = [
    '<%= config.bin %> webhooks sign --body body.json --secret whsec_…',
    'curl --data-binary @body.json -H "$(<%= config.bin %> webhooks sign --body body.json)" http://127.0.0.1:3000/webhooks',
  ];
  static override flags = {
    ...webhookFlags,
    timestamp: integer({
      summary: 'Timestamp in Unix seconds (default: now)',
      helpValue: '<seconds>',
      min: 0,
      max: 999_999_999_999,
    }),
  };

  async run(): Promise<undefined> {
    const { flags } = await this.parse(WebhooksSign);
    const secrets = [secretOf(flags.secret, this.world)];
    const body = textOf(await readWebhookBody(flags.body, this.world));
    const timestampS = flags.timestamp ?? Math.floor(Date.now() / 1000);
    const signature = signWebhook({ secrets, timestampS, body });
    const id = eventIdOf(body);
    const headers = {
      [NAMES.signature_header]: signature,
      ...(id !== null && {
        [NAMES.event_id_header]: id,
        'webhook-id': id,
        'webhook-timestamp': String(timestampS),
        'webhook-signature': standardWebhookSignature({ secrets, id, timestampS, body }),
      }),
    };
    this.output.result({ timestamp: timestampS, signature, headers }, () => [
      `${NAMES.signature_header}: ${signature}`,
    ]);
  }
}

function textOf(body: Buffer): string {
  if (isUtf8(body)) return body.toString('utf8');
  throw usageError('The body is not UTF-8.', 'Sign a body in UTF-8, as Nameplate sends.');
}

function eventIdOf(body: string): string | null {
  try {
    const { id } = JSON.parse(body);
    return typeof id === 'string' && /^[\x21-\x7e]+$/.test(id) ? id : null;
  } catch {
    return null; // Any body can be signed, but only an event has an id.
  }
}
