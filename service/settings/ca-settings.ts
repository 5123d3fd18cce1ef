import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { type Ca, KNOWN_CAS, USUAL_LIMITS } from '../../shared/core/certificates/ca.ts';
import { readJsonFile } from './json-file.ts';

/** Parses the setting with the certificate authorities: the names of known CAs, or the path of a JSON file that describes each CA. */
export const caList = z.string().transform((text, issues): readonly Ca[] => {
  const read = text.endsWith('.json') ? readJsonFile(text, caListSchema) : readNames(text);
  const result = read.ok ? (problemOf(read.data) ?? read.data.map(toCa)) : read.problem;
  if (typeof result !== 'string') return result;
  issues.addIssue(result);
  return z.NEVER;
});

/** Reads PEM certificates from a file. */
export const pemFile = z.string().transform((path, issues): readonly string[] => {
  try {
    const found = readFileSync(path, 'utf8').match(PEM_CERTIFICATE) ?? [];
    for (const each of found) new X509Certificate(each);
    if (found.length > 0) return found;
  } catch {
    // Report a missing, an unreadable and an invalid file with the same message below.
  }
  issues.addIssue('must be a file with certificates in PEM');
  return z.NEVER;
});

const PEM_CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

const KNOWN = Object.keys(KNOWN_CAS).join(', ');
const EXPECTED = `must be certificate authorities in order of preference, separated by commas (${KNOWN}), or a .json file that lists them`;

const allowance = z.strictObject({ limit: z.int().min(1), window_ms: z.int().min(1000) });

const LIST = 'must be a list of certificate authorities, such as [{ "name": "letsencrypt" }]';

const caListSchema = z
  .array(
    z.strictObject({
      name: z.string().regex(/^[a-z0-9-]{1,32}$/, 'must be at most 32 lowercase letters, digits and hyphens'),
      directory_url: z.url({ protocol: /^https$/, error: 'must be an https URL' }).optional(),
      caa_issuers: z
        .array(z.hostname('must be a DNS name, such as ca.example.net'))
        .min(1, 'must name at least one issuer')
        .optional(),
      eab: z
        .strictObject({ key_id: z.string().min(1), mac_key: z.base64url('must be base64url') })
        .optional(),
      profile: z
        .string()
        .regex(/^[\x21-\x7e]{1,64}$/, 'must be the name of a profile, such as tlsserver')
        .optional(),
      orders: allowance.optional(),
      certificates: allowance.optional(),
    }),
    LIST,
  )
  .min(1, LIST);

type Listed = z.output<typeof caListSchema>[number];

function problemOf(listed: readonly Listed[]): string | null {
  for (const { name, directory_url, caa_issuers, eab } of listed) {
    const known = Object.hasOwn(KNOWN_CAS, name) ? KNOWN_CAS[name] : undefined;
    if (!known && (!directory_url || !caa_issuers)) {
      return `has ${name}, which is not one of ${KNOWN}: list it in a .json file with its directory_url and caa_issuers`;
    }
    if (known?.needsEab && !eab) return `has ${name}, which needs an eab: list it in a .json file with one`;
  }
  const names = new Set(listed.map(({ name }) => name));
  return names.size < listed.length ? 'has an authority twice: list each once' : null;
}

function toCa({ name, directory_url, caa_issuers, eab, profile, orders, certificates }: Listed): Ca {
  const known = KNOWN_CAS[name];
  return {
    name,
    directory_url: directory_url ?? known?.directory_url ?? '',
    caa_issuers: (caa_issuers ?? known?.caa_issuers ?? []).map((each) => each.toLowerCase()),
    contacts: [],
    eab: eab ?? null,
    profile: profile ?? null,
    limits: {
      ...USUAL_LIMITS,
      ...(orders && { orders }),
      certificates: certificates ?? known?.certificates ?? null,
    },
  };
}

function readNames(text: string): { ok: true; data: Listed[] } | { ok: false; problem: string } {
  const read = caListSchema.safeParse(text.split(',').map((name) => ({ name: name.trim() })));
  return read.success ? { ok: true, data: read.data } : { ok: false, problem: EXPECTED };
}
