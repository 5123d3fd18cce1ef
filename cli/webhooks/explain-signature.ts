import { verifyWebhook, type WebhookEvent, WebhookSignatureError } from '../../shared/client/webhooks.ts';
import {
  BODY_SLIPS,
  CONTENT_SLIPS,
  HEADER_SLIPS,
  hmacHex,
  OTHER_HEADERS,
  SECRET_SLIPS,
  type Slip,
} from './signature-slips.ts';

export interface SignedWebhook {
  body: Buffer;
  /** The value of the header, as it was given to us. */
  signature: string;
  secret: string;
  now: Date;
  /** Seconds that the signature's time may be from `now`. */
  tolerance_s: number;
}

/** Whether a webhook verifies; if not, what was done to it on the way. */
export type Explanation =
  | { is_valid: true; event: WebhookEvent; age_s: number }
  | { is_valid: false; reason: WebhookSignatureError['reason']; message: string; slips: Slip[] };

/** Verifies as a receiver does, and where that fails tries the mistakes that are made, one by one and two at a time. */
export async function explainSignature(webhook: SignedWebhook): Promise<Explanation> {
  const { now } = webhook;
  try {
    const event = await verifyWebhook(webhook);
    const signed_s = Number(/t=([0-9]+)/.exec(webhook.signature)?.[1]);
    return { is_valid: true, event, age_s: Math.floor(now.getTime() / 1000) - signed_s };
  } catch (error) {
    if (!(error instanceof WebhookSignatureError)) throw error;
    const { reason, message } = error;
    if (reason === 'malformed_header')
      return { is_valid: false, reason, message, slips: headerSlips(webhook) };
    if (reason === 'no_match')
      return { is_valid: false, reason, message: NO_MATCH, slips: contentSlips(webhook) };
    return { is_valid: false, reason, message, slips: OTHER_SLIPS[reason] };
  }
}

const NO_MATCH = 'The signature does not match the body and the secret.';

const OTHER_SLIPS: Readonly<Record<'timestamp_too_old' | 'timestamp_in_future' | 'malformed_body', Slip[]>> =
  {
    timestamp_too_old: [
      {
        code: 'too_old',
        message: 'Body and secret are right: only the time is not.',
        fix: 'Check the clock (every attempt is signed afresh), or allow more with --tolerance to look at an old one.',
      },
    ],
    timestamp_in_future: [
      {
        code: 'in_future',
        message: 'Body and secret are right: only the time is not.',
        fix: 'Set the clock of this machine, or of whoever signed.',
      },
    ],
    malformed_body: [
      {
        code: 'not_an_event',
        message: 'Body and secret are right, but this was not signed by the service: it is no event.',
        fix: 'Look for who else has the secret.',
      },
    ],
  };

/** Mends the form until it can be read, then goes on with what was signed. */
function headerSlips(webhook: SignedWebhook): Slip[] {
  const other = OTHER_HEADERS.find(({ looks_so }) => looks_so.test(webhook.signature.trim()));
  if (other) return [named(other)];
  const found: Slip[] = [];
  let { signature } = webhook;
  for (const slip of HEADER_SLIPS) {
    const mended = slip.mend(signature);
    if (mended === null) continue;
    found.push(named(slip));
    signature = mended;
  }
  const header = parts(signature);
  if (header === null) return [...found, UNREADABLE];
  const is_all = header.values.includes(hmacHex(webhook.secret, content(header.timestamp, webhook.body)));
  return is_all ? found : [...found, ...contentSlips({ ...webhook, signature })];
}

const UNREADABLE: Slip = {
  code: 'header_unreadable',
  message: 'The value is not t=<unix seconds>,v1=<hex>.',
  fix: 'Pass the Service-Signature header as it arrived, whole.',
};

interface Candidate<T> {
  value: T;
  slips: Slip[];
}

/** The fewest slips that explain the signature; what is likely where none do. */
function contentSlips({ body, signature, secret }: SignedWebhook): Slip[] {
  const header = parts(signature);
  if (header === null) return [UNREADABLE];
  const keys = candidates<string | Buffer>(secret, secretVariants(secret));
  const bodies = candidates(
    body,
    BODY_SLIPS.map((slip) => ({ slip, value: slip.mend(body) })),
  );
  const pairs = keys
    .flatMap((key) =>
      bodies.map((each) => ({ key, body: each, count: key.slips.length + each.slips.length })),
    )
    .sort((one, other) => one.count - other.count);
  for (const { key, body: tried } of pairs) {
    const slips = [...key.slips, ...tried.slips];
    if (header.values.includes(hmacHex(key.value, content(header.timestamp, tried.value)))) return slips;
    for (const slip of CONTENT_SLIPS) {
      if (header.values.includes(hmacHex(key.value, slip.mend(tried.value)))) return [...slips, named(slip)];
    }
  }
  return likely(body, secret);
}

function secretVariants(secret: string) {
  return SECRET_SLIPS.map((slip) => ({ slip, value: slip.mend(secret) }));
}

function candidates<T>(whole: T, variants: { slip: Slip; value: T | null }[]): Candidate<T>[] {
  const made = variants.flatMap(({ slip, value }) =>
    value === null ? [] : [{ value, slips: [named(slip)] }],
  );
  return [{ value: whole, slips: [] }, ...made];
}

/** Nothing proves these: they are what the body and the secret look like. */
function likely(body: Buffer, secret: string): Slip[] {
  const found: Slip[] = [];
  if (/^sk_(live|test)_/.test(secret)) {
    found.push({
      code: 'secret_is_an_api_key',
      message: 'The secret is an API key.',
      fix: 'Use the signing secret, which begins with whsec_.',
    });
  } else if (!/^whsec_[A-Za-z0-9+/]{43}=$/.test(secret)) {
    found.push({
      code: 'secret_incomplete',
      message: 'The secret is not whsec_ and 44 characters: a part of it may be missing.',
      fix: 'Copy the whole secret.',
    });
  }
  const begins = body.subarray(0, 11).toString('latin1');
  if (begins !== '{"id":"evt_' && /"id"\s*:\s*"evt_/.test(body.toString('latin1'))) {
    found.push({
      code: 'body_reordered',
      message:
        'The body is an event, but not as it was sent, which begins with {"id":"evt_: it was made anew.',
      fix: 'Verify the raw body as it arrived.',
    });
  }
  return found.length > 0 ? found : [OTHER_SECRET];
}

const OTHER_SECRET: Slip = {
  code: 'other_secret_or_body',
  message: 'It was made with another secret, or of another body.',
  fix: "Check that the secret is this app's newest; nameplate events get <id> --json shows the body as it was sent.",
};

function parts(signature: string): { timestamp: string; values: string[] } | null {
  const timestamp = /(?:^|,)t=([0-9]{1,12})(?:,|$)/.exec(signature)?.[1];
  const values = [...signature.matchAll(/(?:^|,)v1=([0-9a-f]{64})(?=,|$)/g)].map(([, value = '']) => value);
  return timestamp === undefined || values.length === 0 ? null : { timestamp, values };
}

function content(timestamp: string, body: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${timestamp}.`), body]);
}

function named({ code, message, fix }: Slip): Slip {
  return { code, message, fix };
}
