import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { integer, string } from '@oclif/core/flags';
import { serviceNames } from '../../shared/core/service-name.ts';
import { signWebhook, standardWebhookSignature } from '../../shared/core/webhooks/signature.ts';
import { durationMs } from '../arguments/read-values.ts';
import { plainText } from '../output/plain-text.ts';
import { BaseCommand } from '../runtime/base-command.ts';
import { CliError, usageError } from '../runtime/cli-error.ts';
import type { World } from '../settings/world.ts';
import { type Explanation, explainSignature } from '../webhooks/explain-signature.ts';

const NAMES = serviceNames('Service');

/** The flags for a webhook's body and its signing secret. */
const webhookFlags = {
  body: string({
    summary: 'File with the raw body; - reads stdin',
    helpValue: '<file>',
    required: true,
  }),
  secret: string({
    summary: 'The signing secret. Prefer NAMEPLATE_WEBHOOK_SECRET, which other users cannot see',
    helpValue: 'whsec_…',
  }),
};

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

/** Matches the header's name before the value, for users who paste a whole header line. */
const HEADER_NAME = new RegExp(`^\\s*${NAMES.signature_header}:\\s*`, 'i');

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

/** Returns the unchanged bytes of the file or of stdin. @throws CliError `usage` */
async function readWebhookBody(file: string, world: World): Promise<Buffer> {
  if (file === '-') return buffer(world.stdin);
  try {
    return readFileSync(path.resolve(world.cwd, file));
  } catch {
    throw usageError(`Cannot read ${file}.`, 'Name a file with the body, or - for stdin.');
  }
}

/** Returns the secret from the flag or the environment. @throws CliError `usage` if neither has a secret. */
function secretOf(flag: string | undefined, { env }: World): string {
  const secret = flag ?? env.NAMEPLATE_WEBHOOK_SECRET;
  if (secret) return secret;
  throw usageError(
    'No signing secret given.',
    'Set NAMEPLATE_WEBHOOK_SECRET or use --secret. For an emulator, nameplate emulator status shows it.',
  );
}
