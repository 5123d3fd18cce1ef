import * as z from 'zod';
import type { Passkey } from '../core/accounts/passkey.ts';
import { ServiceError } from '../core/errors.ts';
import { timestamp } from '../core/instant.ts';
import {
  beginPasskey,
  beginPasskeySignIn,
  finishPasskey,
  finishPasskeySignIn,
  removePasskey,
} from '../operations/members/own-passkeys.ts';
import { newToken } from '../operations/members/sign-in.ts';
import type { Passkeys } from '../ports/accounts.ts';
import { nameSchema } from '../schema/fields.ts';
import { listPasskeys } from '../store/accounts/passkeys.ts';
import { browserCookie, readBrowser, readCookie, signedInCookies } from './cookies.ts';
import { type DashboardCall, type DashboardHandler, readJson, requireSession } from './dashboard-call.ts';
import { respondJson } from './respond.ts';
import type { PasskeyView } from './responses.ts';
import { presentSession } from './session-handlers.ts';

/** A credential id has at most 1023 bytes (WebAuthn section 4). */
const ID_CHARS_MAX = 1364;
const PART_CHARS_MAX = 16_384;

const part = z.base64url().max(PART_CHARS_MAX);
const credential = {
  id: z.base64url().min(1).max(ID_CHARS_MAX),
  rawId: z.base64url().min(1).max(ID_CHARS_MAX),
  type: z.literal('public-key'),
};

/** Ignores the other fields that browsers send, because nothing reads them. */
const signatureSchema = z.strictObject({
  response: z.object({
    ...credential,
    response: z.object({
      clientDataJSON: part,
      authenticatorData: part,
      signature: part,
      userHandle: z.string().max(100).nullish(),
    }),
  }),
});

const creationSchema = z.strictObject({
  name: nameSchema,
  response: z.object({
    ...credential,
    response: z.object({
      clientDataJSON: part,
      attestationObject: part,
      transports: z
        .array(z.string().regex(/^[a-z-]{1,32}$/))
        .max(10)
        .optional(),
    }),
  }),
});

/** Handles `POST /sign-in/passkeys/options`: returns the options for `navigator.credentials.get`. */
export const beginSignIn: DashboardHandler = async (call) => {
  const { context, client } = call;
  const browserToken = browserTokenOf(call);
  const { network } = client;
  const options = await beginPasskeySignIn(context, passkeysOf(call), { browserToken, network });
  return respondJson(200, options, [browserCookie(browserToken)]);
};

/** Handles `POST /sign-in/passkeys`: signs in with a passkey. */
export const signInByPasskey: DashboardHandler = async (call) => {
  const { context, request } = call;
  const passkeys = passkeysOf(call);
  const { response } = readJson(call, signatureSchema);
  const started = await finishPasskeySignIn(context, passkeys, response, readBrowser(request));
  return respondJson(200, await presentSession(call, started.session), signedInCookies(context, started));
};

/** Handles `GET /passkeys`: lists the passkeys of the person. */
export const listOwnPasskeys: DashboardHandler = async (call) => {
  passkeysOf(call);
  const { mail } = requireSession(call);
  const passkeys = await listPasskeys(call.context.store, mail);
  return respondJson(200, { data: passkeys.map(presentPasskey) });
};

/** Handles `POST /passkeys/options`: returns the options for `navigator.credentials.create`. */
export const beginCreation: DashboardHandler = async (call) => {
  const passkeys = passkeysOf(call);
  const browserToken = browserTokenOf(call);
  const options = await beginPasskey(call.context, passkeys, requireSession(call), browserToken);
  return respondJson(200, options, [browserCookie(browserToken)]);
};

/** Handles `POST /passkeys`: stores a new passkey. */
export const createPasskey: DashboardHandler = async (call) => {
  const passkeys = passkeysOf(call);
  const session = requireSession(call);
  const { name, response } = readJson(call, creationSchema);
  const browserToken = readCookie(call.request.headers, 'browser');
  const passkey = await finishPasskey(call.context, passkeys, session, { name, response, browserToken });
  return respondJson(201, presentPasskey(passkey));
};

/** Handles `DELETE /passkeys/{id}`: deletes a passkey of the person. */
export const removeOwnPasskey: DashboardHandler = async (call) => {
  passkeysOf(call);
  await removePasskey(call.context, requireSession(call), call.params['id'] ?? '');
  return respondJson(204, null);
};

/** Returns the adapter for passkeys. @throws ServiceError `not_found` if this server offers no passkeys. */
function passkeysOf({ options: { passkeys } }: DashboardCall): Passkeys {
  if (passkeys === null) throw new ServiceError('not_found');
  return passkeys;
}

/** Returns the token that binds a sign-in to the browser: from the browser's cookie, or a new one. */
function browserTokenOf({ context, request }: DashboardCall): string {
  return readCookie(request.headers, 'browser') ?? newToken(context);
}

function presentPasskey({ id, name, created_at, last_used_at }: Passkey): PasskeyView {
  return { id, name, created_at: timestamp(created_at), last_used_at: timestamp(last_used_at) };
}
