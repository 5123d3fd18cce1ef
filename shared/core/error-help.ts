import { PLAN_ERROR_HELP } from './accounts/plan-error-help.ts';
import type { CodeHelp } from './code-help.ts';
import type { ErrorCode } from './errors.ts';

const KEYS = '[Authentication](../api.md#authentication)';
const RETRIES = '[Idempotency and rates](../idempotency-and-rates.md)';
const ORDER = '[The order of checks](../errors.md#the-order-of-checks)';

/** The causes of each error code, and how to fix them. */
export const ERROR_HELP = {
  invalid_request: {
    causes: [
      {
        cause: 'The body is not JSON',
        tell: 'A JSON parser refuses the body. A shell may have removed its quotes.',
        fix: `Send an object such as \`{"hostname": "careers.acme.com"}\`. In a shell, put it in single quotes.`,
      },
      {
        cause: 'The `Content-Type` is missing or not `application/json`',
        tell: 'The client sends a form, as curl does with `-d` and no `Content-Type` header.',
        fix: 'Send `Content-Type: application/json`.',
      },
    ],
    related: [ORDER, '[Add a domain](../api/create-domain.md)'],
  },
  unauthorized: {
    causes: [
      {
        cause: 'The request has no key',
        tell: 'The header `Authorization` is missing, or the environment variable with the key is empty.',
        fix: 'Send `Authorization: Bearer sk_test_…`. `npx nameplate whoami` shows the key that a command uses.',
      },
      {
        cause: 'The key belongs to another server',
        tell: 'The same key works with another base address, such as that of the emulator.',
        fix: 'Use the key of this server. In the emulator, `npx nameplate emulator status` prints it.',
      },
      {
        cause: 'The key was revoked or copied incompletely',
        tell: 'The dashboard or `npx nameplate keys list` does not show a key with its last four characters.',
        fix: 'Create a new key in the dashboard.',
      },
    ],
    related: [KEYS, '[Which server, which key](../cli.md#which-server-which-key)'],
  },
  forbidden: {
    causes: [
      {
        cause: 'A test key tries to change live mode',
        tell: 'The key starts with `sk_test_`. The request rotates the secret, creates a live key, or changes an app with live domains.',
        fix: 'Use a key that starts with `sk_live_`, or the dashboard.',
      },
    ],
    related: [KEYS, '[The dashboard](../dashboard.md)'],
  },
  not_found: {
    causes: [
      {
        cause: 'The resource belongs to the other mode or another app',
        tell: 'The id exists, but a live key asks for a test domain, or the key belongs to another app.',
        fix: 'Use a key of the same app and mode as the resource.',
      },
      {
        cause: 'The resource was deleted',
        tell: 'The list of events has a `domain.deleted` event for the id.',
        fix: 'Add the hostname again. The new domain has another id.',
      },
      {
        cause: 'The path is wrong',
        tell: 'Every id gives 404. The path lacks `/v1`, or has it twice because the base address ends in `/v1` too.',
        fix: 'Compare the path with the [API reference](../api.md#operations).',
      },
    ],
    related: [ORDER, '[Operations](../api.md#operations)'],
  },
  idempotency_key_in_use: {
    causes: [
      {
        cause: 'A retry came before the first request ended',
        tell: 'The same key was sent less than a minute ago, after a timeout of the client.',
        fix: 'Wait `Retry-After` seconds and send the same request with the same key.',
      },
      {
        cause: 'Two processes use the same key',
        tell: 'The key is a constant or a counter that starts again.',
        fix: 'Use a key that belongs to one action, such as `signup-42`, or a random UUID.',
      },
    ],
    related: [RETRIES],
  },
  payload_too_large: {
    causes: [
      {
        cause: 'The `metadata` or a logo is too large',
        tell: 'The body has a field with many kilobytes.',
        fix: 'Keep large data in your own database, and put its id in `metadata`.',
      },
    ],
    related: ['[Limits](../plans-and-limits.md#limits)', '[Metadata](../domains.md#metadata)'],
  },
  validation_failed: {
    causes: [
      {
        cause: 'A field has a wrong type or value',
        tell: '`status_detail.fields` names each field with `path` and `message`.',
        fix: 'Correct these fields. The page of the operation has the rules of each.',
      },
      {
        cause: 'The operation does not fit the state of the resource',
        tell: 'The path is `status` or `mode`, such as for `verify` on a test domain.',
        fix: 'Read the domain first, and call the operation only in the states that its page names.',
      },
    ],
    related: ['[Operations](../api.md#operations)', ORDER],
  },
  idempotency_key_reused: {
    causes: [
      {
        cause: 'The same key was sent with another body or path',
        tell: 'You sent the same key in the last 24 hours with a different request, for example for another hostname.',
        fix: 'Create a new key for each action. Repeat a request with exactly the same body.',
      },
    ],
    related: [RETRIES],
  },
  invalid_hostname: {
    causes: [
      {
        cause: 'The text is an address, not a hostname',
        tell: 'It has `https://`, a path or a port.',
        fix: 'Send `careers.acme.com` for `https://careers.acme.com/jobs`.',
      },
      {
        cause: 'The text is a wildcard or an IP address',
        tell: 'It starts with `*.`, or has only digits and dots.',
        fix: 'Add each hostname as a domain of its own.',
      },
      {
        cause: 'A label is too long or has a character that hostnames may not contain',
        tell: 'A part between two dots has more than 63 characters, an underscore, or a hyphen at its end.',
        fix: 'Ask the customer for the exact hostname. Letters of other scripts are allowed.',
      },
    ],
    related: ['[Add a domain](../api/create-domain.md)'],
  },
  hostname_is_service: {
    causes: [
      {
        cause: 'The customer entered the CNAME target',
        tell: 'The hostname ends in the zone of `dns.cname.value`, such as `k3v9q2.edge.example.net`.',
        fix: 'Ask the customer for their own hostname, such as `careers.acme.com`.',
      },
    ],
    related: ['[Records](../domains.md#records)'],
  },
  hostname_is_public_suffix: {
    causes: [
      {
        cause: 'The first label is missing',
        tell: 'A registry sells names under the hostname, as under `co.uk`, or a host gives them out, as under `github.io`.',
        fix: 'Send the name of the customer below it, such as `acme.co.uk`.',
      },
    ],
    related: ['[Add a domain](../api/create-domain.md)'],
  },
  hostname_held: {
    causes: [
      {
        cause: 'The operator holds the hostname or a name above it',
        tell: 'Every app gets this error for the hostname. The operator has seen abuse or a resemblance to a brand.',
        fix: 'Contact the support of the service, and say which customer owns the hostname.',
      },
    ],
    related: ['[Holds](../domains.md#holds)', '[Reason `hostname_held`](../reasons/hostname_held.md)'],
  },
  origin_not_allowed: {
    causes: [
      {
        cause: 'The origin is not public HTTPS',
        tell: 'The address has `http:`, an IP address or a path, or its host has a private address.',
        fix: 'Send an address such as `https://origin.acme-careers.com`.',
      },
      {
        cause: 'The origin is a domain of this service',
        tell: 'The host is the service itself, or a hostname that an app has added here.',
        fix: 'Use the name that your hosting provider gave the server.',
      },
    ],
    related: [
      '[Origins](../origins.md)',
      '[Reason `origin_not_allowed`](../reasons/origin_not_allowed.md)',
      '[The emulator](../emulator.md)',
    ],
  },
  rate_limited: {
    causes: [
      {
        cause: 'The key exceeds its rate',
        tell: 'The header `RateLimit` has `r=0` for `"api"`.',
        fix: 'Wait `Retry-After` seconds. Spread a bulk change over time, or use `npx nameplate domains import`.',
      },
      {
        cause: 'All keys of the app together exceed its rate',
        tell: 'The header `RateLimit` has `r=0` for `"app"`.',
        fix: 'Let one process send the requests, one after another.',
      },
      {
        cause: 'A single operation has a limit of its own',
        tell: 'Other requests succeed. The operation is `verify`, `redeliver` or the event stream.',
        fix: 'Call it less often. The page of the operation has its limit.',
      },
    ],
    related: [RETRIES, '[Importing many hostnames](../importing.md)'],
  },
  internal_error: {
    causes: [
      {
        cause: 'Nameplate has a bug, or a node failed during the request',
        tell: 'The response has a `request_id`, and the same request may succeed a moment later.',
        fix: 'Repeat it with the same `Idempotency-Key`. If it fails again, send the `request_id` to support.',
      },
    ],
    related: [RETRIES, '[When to retry](../errors.md#when-to-retry)'],
  },
  service_unavailable: {
    causes: [
      {
        cause: 'The node is full, or its database does not respond',
        tell: 'The response has `Retry-After`, and requests of other kinds fail too.',
        fix: 'Wait `Retry-After` seconds and repeat the request. The SDK does this by itself.',
      },
      {
        cause: 'Your app has too many requests in flight',
        tell: 'The error comes only while you send many requests at once.',
        fix: 'Send fewer requests at the same time, such as ten.',
      },
    ],
    related: [
      '[When many requests run at once](../idempotency-and-rates.md#when-many-requests-run-at-once)',
      RETRIES,
    ],
  },
  database_unavailable: {
    causes: [
      {
        cause: 'The database has not confirmed the change within 5 seconds',
        tell: 'The response comes after some seconds. Reads still work.',
        fix: 'Send a POST again with the same `Idempotency-Key`. If the change was saved, you get its response. A PATCH or DELETE is safe to repeat.',
      },
    ],
    related: [RETRIES, '[When to retry](../errors.md#when-to-retry)'],
  },
  ...PLAN_ERROR_HELP,
} as const satisfies Record<ErrorCode, CodeHelp>;
