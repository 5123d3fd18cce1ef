import {
  AuthorizationResponseError,
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type ClientAuth,
  ClientError,
  ClientSecretBasic,
  ClientSecretPost,
  type Configuration,
  calculatePKCECodeChallenge,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  ResponseBodyError,
} from 'openid-client';
import { isLoopbackHost } from '../../shared/core/net/address.ts';
import type {
  AuthorizationRequest,
  IdentityProvider,
  ProvidedIdentity,
  ProviderFailure,
  ProviderOutcome,
  SignInSecrets,
} from '../../shared/ports/accounts.ts';
import type { Log } from '../../shared/ports/system.ts';
import type { OidcSettings } from '../settings/oidc-settings.ts';
import { createBoundedFetch } from './bounded-fetch.ts';

/** Limits of one request to the provider. */
const REQUEST = { timeoutMs: 5_000, maxBytes: 256 * 1024 };
/** Time limit for all requests of one step together. It is short, because a person is waiting in a browser. */
const STEP_MS_MAX = 10_000;
/** After this time, the discovery document is read again. While reading fails, the old document stays in use. */
const DISCOVERY_FRESH_MS = 3_600_000;

type Provider = Pick<IdentityProvider, 'authorizationUrl' | 'readIdentity'>;

/** Creates the client of an OpenID provider, with which people sign in. Import this module lazily, because it loads `openid-client`. */
export function createOpenIdProvider(settings: OidcSettings, log: Log): Provider {
  const discover = createDiscovery(settings);

  /** Runs a step of a sign-in. If the provider fails, returns the kind of failure, and logs the reason without codes and tokens. */
  async function step<T>(name: string, run: () => Promise<T>): Promise<ProviderOutcome<T>> {
    try {
      return { ok: true, ...(await withinTime(run())) };
    } catch (error) {
      const failure = failureOf(error);
      log.warn({ failure, reason: reasonOf(error) }, `the identity provider failed: ${name}`);
      return { ok: false, problem: failure };
    }
  }

  async function authorizationUrl(request: AuthorizationRequest): Promise<{ url: string }> {
    const { redirectUri, state, nonce, codeVerifier, maxAgeS } = request;
    const url = buildAuthorizationUrl(await discover(), {
      redirect_uri: redirectUri,
      scope: 'openid email',
      state,
      nonce,
      code_challenge: await calculatePKCECodeChallenge(codeVerifier),
      code_challenge_method: 'S256',
      max_age: String(maxAgeS),
    });
    return { url: url.href };
  }

  async function readIdentity(callback: URL, expected: SignInSecrets): Promise<ProvidedIdentity> {
    const configuration = await discover();
    const tokens = await authorizationCodeGrant(configuration, callback, {
      expectedState: expected.state,
      expectedNonce: expected.nonce,
      pkceCodeVerifier: expected.codeVerifier,
      idTokenExpected: true,
    });
    const claims = tokens.claims();
    if (claims === undefined) throw new ClientError('the response has no ID token');
    // A provider may return the mail address only in its UserInfo response (OpenID Connect Core section 5.4).
    const isWhole = claims['email'] !== undefined && claims['email_verified'] !== undefined;
    const hasUserInfo = configuration.serverMetadata().userinfo_endpoint !== undefined;
    const { email, email_verified } =
      isWhole || !hasUserInfo ? claims : await fetchUserInfo(configuration, tokens.access_token, claims.sub);
    return {
      mail: typeof email === 'string' ? email : null,
      isMailVerified: email_verified === true,
      signedInAt: typeof claims.auth_time === 'number' ? claims.auth_time * 1000 : null,
    };
  }

  return {
    authorizationUrl: (request) => step('authorization request', () => authorizationUrl(request)),
    readIdentity: (callback, expected) => step('token request', () => readIdentity(callback, expected)),
  };
}

/**
 * Creates a function that returns the provider's configuration. It reads the discovery document at the first sign-in, once for all
 * concurrent callers, and again after an hour.
 */
function createDiscovery({ issuer, clientId, clientSecret }: OidcSettings): () => Promise<Configuration> {
  const isLoopback = isPlainLoopback(issuer);
  let known: { configuration: Configuration; readAt: number } | null = null;
  let reading: Promise<Configuration> | null = null;

  async function read(): Promise<Configuration> {
    const configuration = await discovery(new URL(issuer), clientId, undefined, clientAuth(clientSecret), {
      [customFetch]: createBoundedFetch(REQUEST),
      timeout: REQUEST.timeoutMs / 1000,
      // Also check the signature of ID tokens, although TLS to the token endpoint already protects them.
      execute: [enableNonRepudiationChecks, ...(isLoopback ? [allowInsecureRequests] : [])],
    });
    // Compare the issuer, because the library also accepts the document for all Microsoft tenants. With that document, any tenant could
    // confirm any mail address.
    if (new URL(configuration.serverMetadata().issuer).href !== new URL(issuer).href) {
      throw new ClientError('the discovery document has another issuer');
    }
    known = { configuration, readAt: performance.now() };
    return configuration;
  }

  return async () => {
    if (known !== null && performance.now() - known.readAt < DISCOVERY_FRESH_MS) return known.configuration;
    reading ??= read().finally(() => {
      reading = null;
    });
    const old = known?.configuration;
    return old === undefined ? reading : reading.catch(() => old);
  };
}

/**
 * Sends the client's secret in the body if the provider supports this, else in the `Authorization` header, which every provider supports.
 */
function clientAuth(secret: string): ClientAuth {
  const [inBody, inHeader] = [ClientSecretPost(secret), ClientSecretBasic(secret)];
  return (server, ...request) => {
    const canReadBody = server.token_endpoint_auth_methods_supported?.includes('client_secret_post');
    (canReadBody === true ? inBody : inHeader)(server, ...request);
  };
}

/** Returns true if the issuer uses plain HTTP on this machine. The settings accept no other `http:` issuer. */
function isPlainLoopback(issuer: string): boolean {
  const { protocol, hostname } = new URL(issuer);
  return protocol === 'http:' && isLoopbackHost(hostname);
}

/**
 * Awaits the work with a time limit. The limit does not end the requests of the work, which have their own timeouts.
 *
 * @throws DOMException `TimeoutError` if the work takes too long.
 */
async function withinTime<T>(work: Promise<T>): Promise<T> {
  const timeout = AbortSignal.timeout(STEP_MS_MAX);
  return Promise.race([
    work,
    new Promise<never>((_, reject) => {
      timeout.addEventListener('abort', () => reject(timeout.reason), { once: true });
    }),
  ]);
}

/**
 * Errors in an authorization response that the person who signs in can cause (RFC 6749 section 4.1.2.1, OpenID Connect Core section
 * 3.1.2.6).
 */
const CANCELLED = new Set(['access_denied', 'login_required', 'consent_required', 'interaction_required']);
const OWN_FAULTS = new Set(['server_error', 'temporarily_unavailable']);
/** Error codes of `openid-client` for a response that does not come from a working provider. */
const BROKEN = new Set([
  'OAUTH_TIMEOUT',
  'OAUTH_ABORT',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_PARSE_ERROR',
]);

function failureOf(error: unknown): ProviderFailure {
  if (error instanceof AuthorizationResponseError) {
    if (CANCELLED.has(error.error)) return 'cancelled';
    return OWN_FAULTS.has(error.error) ? 'unavailable' : 'refused';
  }
  if (error instanceof ResponseBodyError) return error.status >= 500 ? 'unavailable' : 'refused';
  if (error instanceof ClientError) return BROKEN.has(error.code ?? '') ? 'unavailable' : 'refused';
  // `fetch` fails with a TypeError, and a timeout is a DOMException.
  return error instanceof TypeError || error instanceof DOMException ? 'unavailable' : 'refused';
}

/** Returns the reason of an error for the log. Leaves out the error's other fields, which can contain the response with its tokens. */
function reasonOf(error: unknown): string {
  if (error instanceof AuthorizationResponseError || error instanceof ResponseBodyError) {
    return [error.error, error.error_description].filter(Boolean).join(': ');
  }
  if (!(error instanceof Error)) return String(error);
  const { message, cause } = error;
  return cause instanceof Error ? `${message}: ${cause.message}` : message;
}
