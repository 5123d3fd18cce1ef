import { expect, test } from 'vitest';
import type { Passkey } from '../../../shared/core/accounts/passkey.ts';
import type { Session } from '../../../shared/core/accounts/session.ts';
import {
  deletePasskey,
  findPasskey,
  insertPasskey,
  listPasskeys,
  recordPasskeyUse,
} from '../../../shared/store/accounts/passkeys.ts';
import { insertSession, lockSessions } from '../../../shared/store/accounts/sessions.ts';
import {
  claimSignInChallenge,
  insertSignInChallenge,
  type SignInChallenge,
} from '../../../shared/store/accounts/sign-in-challenges.ts';
import { inTransaction, type Tx } from '../../../shared/store/store.ts';
import { NOW, newId } from '../rows.ts';

const COUNTER_MAX = 2 ** 32 - 1;

export function passkeyTests(store: () => Tx): void {
  const aPasskey = (change: Partial<Passkey> = {}): Passkey => {
    const id = newId('pky');
    return {
      id,
      mail: 'ada@example.com',
      name: 'Laptop',
      credential_id: `credential-of-${id}`,
      user_handle: 'handle',
      public_key: 'key',
      counter: 0,
      transports: ['internal', 'hybrid'],
      created_at: NOW,
      last_used_at: null,
      ...change,
    };
  };

  test('transactions that lock the sessions of a person count the passkeys one after the other', async () => {
    const times = { created_at: NOW, signed_in_at: NOW, last_seen_at: NOW };
    const session: Session = { id: newId('ses'), mail: 'ada@example.com', user_agent: '', ...times };
    await insertSession(store(), session, `hash-of-${session.id}`);
    const addFirst = () =>
      inTransaction(store(), async (tx) => {
        await lockSessions(tx, session.mail);
        const isFirst = (await listPasskeys(tx, session.mail)).length === 0;
        if (isFirst) await insertPasskey(tx, aPasskey());
        return isFirst;
      });
    const added = await Promise.all(Array.from({ length: 5 }, addFirst));
    expect(added.filter(Boolean)).toHaveLength(1);
    expect(await listPasskeys(store(), session.mail)).toHaveLength(1);
  });

  test('lists the passkeys of one person, and finds one by its credential', async () => {
    const [first, second, foreign] = [aPasskey(), aPasskey(), aPasskey({ mail: 'eve@example.com' })];
    for (const each of [first, second, foreign]) expect(await insertPasskey(store(), each)).toBe(true);
    expect(await listPasskeys(store(), 'ada@example.com')).toEqual([first, second]);
    expect(await findPasskey(store(), second.credential_id)).toEqual(second);
    expect(await findPasskey(store(), 'unknown')).toBeNull();
  });

  test('refuses a credential that someone else has', async () => {
    const known = aPasskey();
    await insertPasskey(store(), known);
    const again = aPasskey({ mail: 'eve@example.com', credential_id: known.credential_id });
    expect(await insertPasskey(store(), again)).toBe(false);
    expect(await findPasskey(store(), known.credential_id)).toEqual(known);
  });

  test.each([
    [0, 0, true],
    [0, 1, true],
    [COUNTER_MAX - 1, COUNTER_MAX, true],
    [5, 5, false],
    [5, 4, false],
    [5, 0, false],
  ])('after the counter %i, accepts %i: %s', async (before, after, isAccepted) => {
    const passkey = aPasskey({ counter: before });
    await insertPasskey(store(), passkey);
    expect(await recordPasskeyUse(store(), passkey.id, after, NOW + 1)).toBe(isAccepted);
    const expected = isAccepted ? { ...passkey, counter: after, last_used_at: NOW + 1 } : passkey;
    expect(await findPasskey(store(), passkey.credential_id)).toEqual(expected);
  });

  test('of ten concurrent uses with one counter, one succeeds', async () => {
    const passkey = aPasskey({ counter: 7 });
    await insertPasskey(store(), passkey);
    const uses = Array.from({ length: 10 }, () => recordPasskeyUse(store(), passkey.id, 8, NOW));
    expect((await Promise.all(uses)).filter(Boolean)).toHaveLength(1);
  });

  test('deletes a passkey of its own person only', async () => {
    const passkey = aPasskey();
    await insertPasskey(store(), passkey);
    expect(await deletePasskey(store(), 'eve@example.com', passkey.id)).toBe(false);
    expect(await deletePasskey(store(), passkey.mail, passkey.id)).toBe(true);
    expect(await deletePasskey(store(), passkey.mail, passkey.id)).toBe(false);
  });
}

export function signInChallengeTests(store: () => Tx): void {
  const CHALLENGE: SignInChallenge = {
    hash: 'a'.repeat(64),
    kind: 'passkey_creation',
    browser_hash: 'b'.repeat(64),
    mail: 'ada@example.com',
    detail: { user_handle: 'handle' },
    expires_at: NOW + 1,
  };

  test('hands out a challenge once, before it expires', async () => {
    await insertSignInChallenge(store(), CHALLENGE);
    expect(await claimSignInChallenge(store(), CHALLENGE, NOW + 1)).toBeNull();
    expect(await claimSignInChallenge(store(), CHALLENGE, NOW)).toEqual(CHALLENGE);
    expect(await claimSignInChallenge(store(), CHALLENGE, NOW)).toBeNull();
  });

  test('of ten concurrent claims, one succeeds', async () => {
    await insertSignInChallenge(store(), CHALLENGE);
    const claims = Array.from({ length: 10 }, () => claimSignInChallenge(store(), CHALLENGE, NOW));
    expect((await Promise.all(claims)).filter((each) => each !== null)).toHaveLength(1);
  });

  test.each([{ hash: 'c' }, { browser_hash: 'c' }, { kind: 'passkey_sign_in' } as const])(
    'leaves the challenge to its own browser if the claim has %o',
    async (change) => {
      await insertSignInChallenge(store(), CHALLENGE);
      expect(await claimSignInChallenge(store(), { ...CHALLENGE, ...change }, NOW)).toBeNull();
      expect(await claimSignInChallenge(store(), CHALLENGE, NOW)).toEqual(CHALLENGE);
    },
  );
}
