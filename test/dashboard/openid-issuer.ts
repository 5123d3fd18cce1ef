import { generateKeyPairSync } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider, { type Configuration } from 'oidc-provider';
import { vi } from 'vitest';
import type { OidcSettings } from '../../service/settings/oidc-settings.ts';

/** The person who is signed in at the issuer. */
export interface IssuerPerson {
  mail: string;
  isMailVerified: boolean;
  /** When the person signed in at the issuer, in seconds; null for the present time. */
  signedInAtS: number | null;
}

/** A real OpenID provider on loopback (npm `oidc-provider`), which signs the person in without any question. */
export interface OpenIdIssuer extends AsyncDisposable {
  settings: OidcSettings;
  person: IssuerPerson;
  /** Paths that were requested, oldest first. */
  asked: string[];
  /** Handles requests before the provider does. @returns true if the request has been handled. */
  intercept: ((req: IncomingMessage, res: ServerResponse) => boolean) | null;
  /** Registers the client with its redirect URI, to which the provider sends the browser back. */
  register(redirectUri: string): void;
}

const KEY = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' });
const CLIENT = { id: 'nameplate', secret: 'a-secret-of-the-client' };

/**
 * @param hasClaimsInIdToken whether ID tokens have the mail address. Otherwise only the UserInfo response has it.
 * @param requiresAuthTime whether ID tokens always contain the time of the sign-in. Otherwise they contain it only if the request has
 * `max_age`.
 */
export async function startIssuer({
  hasClaimsInIdToken = true,
  requiresAuthTime = true,
} = {}): Promise<OpenIdIssuer> {
  let handle = (_req: IncomingMessage, res: ServerResponse): unknown => res.writeHead(503).end();
  const server = createServer((req, res) => {
    issuer.asked.push(new URL(req.url ?? '', url).pathname);
    if (issuer.intercept?.(req, res) !== true) void handle(req, res);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const issuer: OpenIdIssuer = {
    settings: {
      issuer: url,
      clientId: CLIENT.id,
      clientSecret: CLIENT.secret,
      mailDomains: ['example.com', 'example.org'],
      name: 'Acme ID',
    },
    person: { mail: 'ada@example.com', isMailVerified: true, signedInAtS: null },
    asked: [],
    intercept: null,
    register(redirectUri) {
      // Silences the provider's warning about use in production.
      const warn = vi.spyOn(console, 'warn').mockReturnValue();
      const provider = new Provider(url, configuration(redirectUri));
      warn.mockRestore();
      const serve = provider.callback();
      handle = async (req, res) => {
        if (!req.url?.startsWith('/interaction/')) return serve(req, res);
        const { mail, signedInAtS } = issuer.person;
        const login = { accountId: mail, ...(signedInAtS !== null && { ts: signedInAtS }) };
        await provider.interactionFinished(req, res, { login }, { mergeWithLastSubmission: false });
      };
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };

  function configuration(redirectUri: string): Configuration {
    return {
      clients: [
        {
          client_id: CLIENT.id,
          client_secret: CLIENT.secret,
          redirect_uris: [redirectUri],
          token_endpoint_auth_method: 'client_secret_post',
          require_auth_time: requiresAuthTime,
        },
      ],
      jwks: { keys: [{ ...KEY, kid: 'one', use: 'sig', alg: 'RS256' }] } as NonNullable<
        Configuration['jwks']
      >,
      cookies: { keys: ['a-key-of-the-test'] },
      claims: { openid: ['sub'], email: ['email', 'email_verified'] },
      conformIdTokenClaims: !hasClaimsInIdToken,
      features: { devInteractions: { enabled: false } },
      interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
      ttl: { Interaction: 600, Session: 600, Grant: 600, AccessToken: 600, IdToken: 600 },
      findAccount: (_context, sub) => ({
        accountId: sub,
        claims: () => ({ sub, email: issuer.person.mail, email_verified: issuer.person.isMailVerified }),
      }),
      // Grants every scope, so that no page asks for consent.
      async loadExistingGrant(context) {
        const { provider, client, session } = context.oidc;
        const grant = new provider.Grant({
          clientId: client?.clientId ?? '',
          accountId: session?.accountId ?? '',
        });
        grant.addOIDCScope('openid email');
        await grant.save();
        return grant;
      },
    };
  }

  return issuer;
}
