import * as z from 'zod';
import { externalAccountBinding } from '../../shared/core/certificates/acme-jws.ts';
import type { AcmeProblem } from '../../shared/core/certificates/acme-problem.ts';
import type { Ca } from '../../shared/core/certificates/ca.ts';
import { ORDER_STATUSES } from '../../shared/core/certificates/certificate-order.ts';
import type {
  CaAccount,
  CaAnswer,
  CaAuthorization,
  CaOrder,
  CertificateAuthority,
} from '../../shared/ports/certificates.ts';
import {
  type AcmeHttpOptions,
  type AcmeResponse,
  createAcmeHttp,
  parseJson,
  plainProblem,
  problemSchema,
  toProblem,
} from './acme-http.ts';

/**
 * Creates a client for an ACME certificate authority (RFC 8555) with renewal information (ARI, RFC 9773). `decisions/0012` says why we
 * wrote our own client.
 */
export function createAcmeCa(ca: Ca, options: Omit<AcmeHttpOptions, 'directoryUrl'>): CertificateAuthority {
  const http = createAcmeHttp({ ...options, directoryUrl: ca.directory_url });
  const read = (account: CaAccount, url: string) => http.post(account, { url }, null);

  /** Returns the problem if the CA's directory lists profiles but not the configured profile. The problem names the listed profiles. */
  async function unknownProfile(profile: string): Promise<AcmeProblem | null> {
    const found = await http.directory();
    if (!found.ok) return found.problem;
    const profiles = Object.keys(found.directory.meta?.profiles ?? {});
    if (profiles.includes(profile)) return null;
    const offered = profiles.length === 0 ? 'no profiles' : profiles.join(', ');
    const detail = `the setting asks for the profile ${profile}, and the authority offers ${offered}`;
    return { ...plainProblem(detail), type: 'invalidProfile', status: 400 };
  }

  return {
    ca,

    async newAccount(privateKey) {
      const { contacts, eab } = ca;
      const response = await http.post(
        { private_key: privateKey, account_url: null },
        'newAccount',
        (url) => ({
          termsOfServiceAgreed: true,
          ...(contacts.length > 0 ? { contact: contacts } : {}),
          ...(eab ? { externalAccountBinding: externalAccountBinding(privateKey, eab, url) } : {}),
        }),
      );
      if (!response.ok) return response;
      const { status } = accountSchema.parse(parseJson(response.text));
      if (status === 'valid') return located(response);
      return { ok: false, problem: { ...plainProblem(`the account is ${status}`), type: 'unauthorized' } };
    },

    accountStatus: async (account) =>
      parsed(await read(account, account.account_url), accountSchema, ({ status }) => status),

    async newOrder(account, { names, replaces }) {
      const { profile } = ca;
      const unknown = profile === null ? null : await unknownProfile(profile);
      if (unknown !== null) return { ok: false, problem: unknown };
      const response = await http.post(account, 'newOrder', {
        identifiers: names.map((value) => ({ type: 'dns', value })),
        ...(replaces === null ? {} : { replaces }),
        ...(profile === null ? {} : { profile }),
      });
      return response.ok ? located(response) : response;
    },

    order: async (account, url) => parsed(await read(account, url), orderSchema, toOrder),

    authorization: async (account, url) =>
      parsed(await read(account, url), authorizationSchema, toAuthorization),

    async challengeReady(account, url) {
      const response = await http.post(account, { url }, {});
      return response.ok ? { ok: true, value: null, retryAt: response.retryAt } : response;
    },

    async finalize(account, url, request) {
      const csr = Buffer.from(request).toString('base64url');
      const response = await http.post(account, { url }, { csr });
      return response.ok ? { ok: true, value: null, retryAt: response.retryAt } : response;
    },

    async chain(account, url) {
      const response = await read(account, url);
      return response.ok ? { ok: true, value: response.text, retryAt: response.retryAt } : response;
    },

    async revoke(account, certificate, reason) {
      const found = await http.directory();
      if (!found.ok) return found;
      const url = found.directory.revokeCert;
      if (url === undefined)
        return { ok: false, problem: plainProblem('the authority revokes no certificates') };
      const payload = { certificate: Buffer.from(certificate).toString('base64url'), reason };
      const response = await http.post(account, { url }, payload);
      return response.ok ? { ok: true, value: null, retryAt: response.retryAt } : response;
    },

    async renewalWindow(ariId) {
      const found = await http.directory();
      if (!found.ok) return found;
      const { renewalInfo } = found.directory;
      if (renewalInfo === undefined) return { ok: true, value: null, retryAt: null };
      const response = await http.get(`${renewalInfo.replace(/\/$/, '')}/${ariId}`);
      return parsed(response, renewalSchema, ({ suggestedWindow: { start, end } }) => ({
        start: Date.parse(start),
        end: Date.parse(end),
      }));
    },

    close: http.close,
  };
}

/**
 * Reads the status of an account. A missing or malformed status is read as `valid`: if the account is not valid, the CA refuses its next
 * request.
 */
const accountSchema = z.object({ status: z.string().catch('valid') }).catch({ status: 'valid' });

/** A field that may be missing. A malformed value, such as an empty text, is read as null. */
const optionalUrl = z.url().nullable().catch(null);
const optionalProblem = problemSchema.nullable().catch(null);

const orderSchema = z.object({
  status: z.enum(ORDER_STATUSES),
  // The CA returns one authorization for each name, and we fetch each of them.
  authorizations: z.array(z.url()).max(10).nullish(),
  finalize: optionalUrl,
  certificate: optionalUrl,
  error: optionalProblem,
});

const challengeSchema = z.object({
  type: z.string(),
  url: z.url(),
  status: z.enum(['pending', 'processing', 'valid', 'invalid']),
  // A token has at least 128 bits in base64url (RFC 8555 section 8.3). Challenges without a token are of types that we do not use.
  token: z.string().regex(/^[\w-]{1,128}$/),
  error: optionalProblem,
});

const authorizationSchema = z.object({
  identifier: z.object({ value: z.string() }),
  status: z.enum(['pending', 'valid', 'invalid', 'deactivated', 'expired', 'revoked']),
  // A challenge that we cannot parse, such as a challenge of a new type, is read as null, so that we can still use the other challenges.
  challenges: z.array(challengeSchema.nullable().catch(null)).max(100).nullish(),
});

const renewalSchema = z.object({
  suggestedWindow: z.object({
    start: z.iso.datetime({ offset: true }),
    end: z.iso.datetime({ offset: true }),
  }),
});

function toOrder({
  status,
  authorizations,
  finalize,
  certificate,
  error,
}: z.output<typeof orderSchema>): CaOrder {
  return {
    status,
    authorizations: authorizations ?? [],
    finalize_url: finalize,
    certificate_url: certificate,
    problem: error && toProblem(error),
  };
}

function toAuthorization({
  identifier,
  status,
  challenges,
}: z.output<typeof authorizationSchema>): CaAuthorization {
  return {
    name: identifier.value.toLowerCase(),
    status,
    challenges: (challenges ?? [])
      .filter((each) => each !== null)
      .map(({ error, ...rest }) => ({ ...rest, problem: error && toProblem(error) })),
  };
}

function parsed<T, R>(response: AcmeResponse, schema: z.ZodType<T>, to: (value: T) => R): CaAnswer<R> {
  if (!response.ok) return response;
  const read = schema.safeParse(parseJson(response.text));
  if (!read.success) {
    const [issue] = read.error.issues;
    return {
      ok: false,
      problem: plainProblem(`the response does not match RFC 8555: ${issue?.path.join('.')}`),
    };
  }
  return { ok: true, value: to(read.data), retryAt: response.retryAt };
}

/** Reads the URL of the created resource from the Location header. */
function located({ location, retryAt }: Extract<AcmeResponse, { ok: true }>): CaAnswer<string> {
  if (location === null) return { ok: false, problem: plainProblem('the response has no Location header') };
  return { ok: true, value: location, retryAt };
}
