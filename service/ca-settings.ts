import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { type Ca, USUAL_LIMITS } from '../shared/core/ca.ts';
import { KNOWN_CAS } from '../shared/core/known-cas.ts';

/** The certificate authorities of the environment: names of known ones, or a JSON file that describes each. */
export const caList = z.string().transform((text, issues): readonly Ca[] => {
  const read = caListSchema.safeParse(text.endsWith('.json') ? readJson(text) : namesIn(text));
  const problem = read.success ? problemOf(read.data) : (read.error.issues[0]?.message ?? 'is wrong');
  if (problem !== null || !read.success) {
    issues.addIssue(problem ?? 'is wrong');
    return z.NEVER;
  }
  return read.data.map(toCa);
});

/** Certificates in PEM, from a file. */
export const pemFile = z.string().transform((path, issues): readonly string[] => {
  try {
    const found = readFileSync(path, 'utf8').match(PEM_CERTIFICATE) ?? [];
    for (const each of found) new X509Certificate(each);
    if (found.length > 0) return found;
  } catch {
    // Not there, or not readable, or no certificate: the same is to be done about each.
  }
  issues.addIssue('must be a file with certificates in PEM');
  return z.NEVER;
});

const PEM_CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

const KNOWN = Object.keys(KNOWN_CAS).join(', ');
const WHAT = `must be certificate authorities in their order, parted by commas (${KNOWN}), or a .json file that lists them`;

const allowance = z.strictObject({ limit: z.int().min(1), window_ms: z.int().min(1000) });

const caListSchema = z
  .array(
    z.strictObject(
      {
        name: z
          .string()
          .regex(/^[a-z0-9-]{1,32}$/, 'has a name that is not lowercase letters, digits and hyphens'),
        directory_url: z
          .url({ protocol: /^https$/, error: 'has a directory_url that is not https' })
          .optional(),
        caa_issuers: z.array(z.hostname('has caa_issuers that are no DNS names')).min(1).optional(),
        eab: z
          .strictObject({
            key_id: z.string().min(1),
            mac_key: z.base64url('has a mac_key that is not base64url'),
          })
          .optional(),
        orders: allowance.optional(),
        certificates: allowance.optional(),
      },
      WHAT,
    ),
    WHAT,
  )
  .min(1, WHAT);

type Listed = z.output<typeof caListSchema>[number];

function problemOf(listed: readonly Listed[]): string | null {
  for (const { name, directory_url, caa_issuers, eab } of listed) {
    const known = Object.hasOwn(KNOWN_CAS, name) ? KNOWN_CAS[name] : undefined;
    if (!known && (!directory_url || !caa_issuers)) {
      return `has ${name}, which is not one of ${KNOWN}: list it in a .json file with its directory_url and caa_issuers`;
    }
    if (known?.needs_eab && !eab) return `has ${name}, which needs an eab: list it in a .json file with one`;
  }
  const names = new Set(listed.map(({ name }) => name));
  return names.size < listed.length ? 'has one twice' : null;
}

function toCa({ name, directory_url, caa_issuers, eab, orders, certificates }: Listed): Ca {
  const known = KNOWN_CAS[name];
  return {
    name,
    directory_url: directory_url ?? known?.directory_url ?? '',
    caa_issuers: (caa_issuers ?? known?.caa_issuers ?? []).map((each) => each.toLowerCase()),
    contacts: [],
    eab: eab ?? null,
    limits: {
      ...USUAL_LIMITS,
      ...(orders && { orders }),
      certificates: certificates ?? known?.certificates ?? null,
    },
  };
}

function namesIn(text: string): { name: string }[] {
  return text.split(',').map((name) => ({ name: name.trim() }));
}

/** @returns undefined where there is no such JSON, which no schema takes. */
function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}
