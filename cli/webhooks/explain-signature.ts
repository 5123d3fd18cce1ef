import { verifyWebhook, type WebhookEvent, WebhookSignatureError } from '../../shared/client/webhooks.ts';
import {
  BODY_MISTAKES,
  CONTENT_MISTAKES,
  HEADER_MISTAKES,
  hmacHex,
  type Mistake,
  OTHER_HEADERS,
  SECRET_MISTAKES,
} from './signature-mistakes.ts';

export interface SignedWebhook {
  body: Buffer;
  /** The value of the signature header, as the user gave it. */
  signature: string;
  secret: string;
  now: Date;
  /** The maximum difference between the signature's timestamp and `now`, in seconds. */
  toleranceS: number;
}

/** The result of a verification. For an invalid signature, it has the mistakes that may explain the failure. */
export type Explanation =
  | { is_valid: true; event: WebhookEvent; age_s: number }
  | { is_valid: false; reason: WebhookSignatureError['reason']; message: string; mistakes: Mistake[] };

/** Verifies a webhook as a receiver does. If that fails, tries to undo common mistakes, alone and in combination. */
export async function explainSignature(webhook: SignedWebhook): Promise<Explanation> {
  const { now } = webhook;
  try {
    const event = await verifyWebhook(webhook);
    const signedS = Number(/t=([0-9]+)/.exec(webhook.signature)?.[1]);
    return { is_valid: true, event, age_s: Math.floor(now.getTime() / 1000) - signedS };
  } catch (error) {
    if (!(error instanceof WebhookSignatureError)) throw error;
    const { reason, message } = error;
    if (reason === 'malformed_header')
      return { is_valid: false, reason, message, mistakes: headerMistakes(webhook) };
    if (reason === 'no_match')
      return { is_valid: false, reason, message: NO_MATCH, mistakes: contentMistakes(webhook) };
    return { is_valid: false, reason, message, mistakes: OTHER_MISTAKES[reason] };
  }
}

const NO_MATCH = 'The signature does not match the body and the secret.';

const OTHER_MISTAKES: Readonly<
  Record<'timestamp_too_old' | 'timestamp_in_future' | 'malformed_body', Mistake[]>
> = {
  timestamp_too_old: [
    {
      code: 'too_old',
      message: 'The body and the secret are right. Only the timestamp is too old.',
      fix: 'Check the clock of this machine. To verify a stored webhook, use a larger --tolerance.',
    },
  ],
  timestamp_in_future: [
    {
      code: 'in_future',
      message: 'The body and the secret are right. Only the timestamp is in the future.',
      fix: 'Check the clock of this machine and of the signer.',
    },
  ],
  malformed_body: [
    {
      code: 'not_an_event',
      message: 'The signature is valid, but the body is not a Nameplate event.',
      fix: 'Check that the body is a whole event. If you signed this body yourself, this result is expected.',
    },
  ],
};

/** Returns the mistakes in a malformed header. Repairs the header until it can be parsed, then checks the signed content too. */
function headerMistakes(webhook: SignedWebhook): Mistake[] {
  const other = OTHER_HEADERS.find(({ looksSo }) => looksSo.test(webhook.signature.trim()));
  if (other) return [named(other)];
  const found: Mistake[] = [];
  let { signature } = webhook;
  for (const mistake of HEADER_MISTAKES) {
    const repaired = mistake.undo(signature);
    if (repaired === null) continue;
    found.push(named(mistake));
    signature = repaired;
  }
  const header = parts(signature);
  if (header === null) return [...found, UNREADABLE];
  const isAll = header.values.includes(hmacHex(webhook.secret, content(header.timestamp, webhook.body)));
  return isAll ? found : [...found, ...contentMistakes({ ...webhook, signature })];
}

const UNREADABLE: Mistake = {
  code: 'header_unreadable',
  message: 'The value does not have the form t=<unix seconds>,v1=<hex>.',
  fix: 'Pass the whole Service-Signature header as it arrived.',
};

interface Candidate<T> {
  value: T;
  mistakes: Mistake[];
}

/** Returns the fewest mistakes whose repair makes the signature match. If no repair does, returns likely mistakes. */
function contentMistakes({ body, signature, secret }: SignedWebhook): Mistake[] {
  const header = parts(signature);
  if (header === null) return [UNREADABLE];
  const keys = candidates<string | Buffer>(secret, secretVariants(secret));
  const bodies = candidates(
    body,
    BODY_MISTAKES.map((mistake) => ({ mistake, value: mistake.undo(body) })),
  );
  const pairs = keys
    .flatMap((key) =>
      bodies.map((each) => ({ key, body: each, count: key.mistakes.length + each.mistakes.length })),
    )
    .sort((one, other) => one.count - other.count);
  for (const { key, body: tried } of pairs) {
    const mistakes = [...key.mistakes, ...tried.mistakes];
    if (header.values.includes(hmacHex(key.value, content(header.timestamp, tried.value)))) return mistakes;
    for (const mistake of CONTENT_MISTAKES) {
      if (header.values.includes(hmacHex(key.value, mistake.undo(tried.value))))
        return [...mistakes, named(mistake)];
    }
  }
  return likely(body, secret);
}

function secretVariants(secret: string) {
  return SECRET_MISTAKES.map((mistake) => ({ mistake, value: mistake.undo(secret) }));
}

function candidates<T>(whole: T, variants: { mistake: Mistake; value: T | null }[]): Candidate<T>[] {
  const made = variants.flatMap(({ mistake, value }) =>
    value === null ? [] : [{ value, mistakes: [named(mistake)] }],
  );
  return [{ value: whole, mistakes: [] }, ...made];
}

/** Returns likely mistakes, guessed from the form of the body and the secret. */
function likely(body: Buffer, secret: string): Mistake[] {
  const found: Mistake[] = [];
  if (/^sk_(live|test)_/.test(secret)) {
    found.push({
      code: 'secret_is_an_api_key',
      message: 'The secret is an API key.',
      fix: 'Use the signing secret, which begins with whsec_.',
    });
  } else if (!/^whsec_[A-Za-z0-9+/]{43}=$/.test(secret)) {
    found.push({
      code: 'secret_incomplete',
      message: 'The secret is not whsec_ followed by 44 characters. Part of it may be missing.',
      fix: 'Copy the whole secret.',
    });
  }
  const begins = body.subarray(0, 11).toString('latin1');
  if (begins !== '{"id":"evt_' && /"id"\s*:\s*"evt_/.test(body.toString('latin1'))) {
    found.push({
      code: 'body_reordered',
      message:
        'The body is an event, but not the original text, which begins with {"id":"evt_. It was serialised again.',
      fix: 'Verify the raw body as it arrived.',
    });
  }
  return found.length > 0 ? found : [OTHER_SECRET];
}

const OTHER_SECRET: Mistake = {
  code: 'other_secret_or_body',
  message: 'It was made with another secret or for another body.',
  fix: "Check that this is the app's newest secret. nameplate events get <id> --json shows the original body.",
};

function parts(signature: string): { timestamp: string; values: string[] } | null {
  const timestamp = /(?:^|,)t=([0-9]{1,12})(?:,|$)/.exec(signature)?.[1];
  const values = [...signature.matchAll(/(?:^|,)v1=([0-9a-f]{64})(?=,|$)/g)].map(([, value = '']) => value);
  return timestamp === undefined || values.length === 0 ? null : { timestamp, values };
}

function content(timestamp: string, body: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${timestamp}.`), body]);
}

function named({ code, message, fix }: Mistake): Mistake {
  return { code, message, fix };
}
