import type { Browser, CDPSession, Page } from 'playwright-core';

/** A browser's response for a passkey, as its `toJSON` returns it. */
export interface PasskeyResponse {
  id: string;
  rawId: string;
  type: string;
  response: Record<string, string>;
}

/** A page in Chromium with a virtual authenticator (Chrome DevTools Protocol, domain WebAuthn). */
export interface AuthenticatorPage extends AsyncDisposable {
  page: Page;
  /** Creates a passkey. @param options `PublicKeyCredentialCreationOptionsJSON`. @throws the browser's error. */
  create(options: object): Promise<PasskeyResponse>;
  /** Signs with a passkey. @param options `PublicKeyCredentialRequestOptionsJSON`. @throws the browser's error. */
  sign(options: object): Promise<PasskeyResponse>;
  /** Returns the credentials with their private keys and counters. */
  exportCredentials(): Promise<object[]>;
  /** Replaces the credentials, as if the authenticator were copied. */
  importCredentials(credentials: readonly object[]): Promise<void>;
  /** Sets whether the person passes the check of fingerprint, face or PIN. */
  setVerified(isVerified: boolean): Promise<void>;
}

/** Opens a page at a URL, with its own virtual authenticator. */
export async function openAuthenticator(browser: Browser, url: string): Promise<AuthenticatorPage> {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(url);
  const devtools: CDPSession = await context.newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  const options = {
    protocol: 'ctap2',
    transport: 'internal',
    hasResidentKey: true,
    hasUserVerification: true,
    isUserVerified: true,
  } as const;
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', { options });
  return {
    page,
    create: (json) => page.evaluate(createInPage, json),
    sign: (json) => page.evaluate(signInPage, json),
    async exportCredentials() {
      return (await devtools.send('WebAuthn.getCredentials', { authenticatorId })).credentials;
    },
    async importCredentials(credentials) {
      await devtools.send('WebAuthn.clearCredentials', { authenticatorId });
      for (const credential of credentials) {
        await devtools.send('WebAuthn.addCredential', { authenticatorId, credential: credential as never });
      }
    },
    async setVerified(isUserVerified) {
      await devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified });
    },
    [Symbol.asyncDispose]: () => context.close(),
  };
}

/** The parts of WebAuthn Level 3 that the page uses. Node's types do not include these parts. */
interface PageGlobals {
  navigator: {
    credentials: Record<'create' | 'get', (options: object) => Promise<{ toJSON(): PasskeyResponse }>>;
  };
  PublicKeyCredential: Record<
    'parseCreationOptionsFromJSON' | 'parseRequestOptionsFromJSON',
    (json: object) => object
  >;
}

async function createInPage(json: object): Promise<PasskeyResponse> {
  const { navigator, PublicKeyCredential } = globalThis as unknown as PageGlobals;
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(json);
  return (await navigator.credentials.create({ publicKey })).toJSON();
}

async function signInPage(json: object): Promise<PasskeyResponse> {
  const { navigator, PublicKeyCredential } = globalThis as unknown as PageGlobals;
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(json);
  return (await navigator.credentials.get({ publicKey })).toJSON();
}
