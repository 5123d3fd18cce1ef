import type { Instant } from './instant.ts';

export type AccountId = Branded<string, 'AccountId'>;
export type AppId = Branded<string, 'AppId'>;
export type KeyId = Branded<string, 'KeyId'>;
export type DomainId = Branded<string, 'DomainId'>;
export type EventId = Branded<string, 'EventId'>;
export type DeliveryId = Branded<string, 'DeliveryId'>;
export type LeaseId = Branded<string, 'LeaseId'>;
export type AuditId = Branded<string, 'AuditId'>;
export type SubscriptionId = Branded<string, 'SubscriptionId'>;
export type AccountMailId = Branded<string, 'AccountMailId'>;
export type CertificateId = Branded<string, 'CertificateId'>;
export type MemberId = Branded<string, 'MemberId'>;
export type PasskeyId = Branded<string, 'PasskeyId'>;
export type SessionId = Branded<string, 'SessionId'>;
export type SignInLinkId = Branded<string, 'SignInLinkId'>;
export type RequestId = Branded<string, 'RequestId'>;

interface IdTypes {
  acc: AccountId;
  app: AppId;
  key: KeyId;
  dom: DomainId;
  evt: EventId;
  dlv: DeliveryId;
  lea: LeaseId;
  req: RequestId;
  aud: AuditId;
  sub: SubscriptionId;
  crt: CertificateId;
  mem: MemberId;
  pky: PasskeyId;
  ses: SessionId;
  lnk: SignInLinkId;
  mai: AccountMailId;
}
export type IdPrefix = keyof IdTypes;

/** Crockford's base 32, lowercase: no i, l, o, u. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/** Number of random bytes that `makeId` needs. */
export const ID_RANDOM_BYTES = 10;

/**
 * Generates an id: `<prefix>_` and the 26 characters of a ULID (48 bits of milliseconds, 80 random bits) in lowercase. Ids sort by time.
 * @param random exactly 10 bytes.
 */
export function makeId<P extends IdPrefix>(prefix: P, now: Instant, random: Uint8Array): IdTypes[P] {
  if (random.length !== ID_RANDOM_BYTES) throw new RangeError('makeId takes 10 random bytes');
  let time = now;
  let head = '';
  for (let i = 0; i < 10; i++) {
    head = ALPHABET.charAt(time % 32) + head;
    time = Math.floor(time / 32);
  }
  let tail = '';
  let bits = 0;
  let value = 0;
  for (const byte of random) {
    value = (value << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      tail += ALPHABET.charAt((value >> bits) & 31);
    }
    value &= (1 << bits) - 1;
  }
  return `${prefix}_${head}${tail}` as IdTypes[P];
}

/** Marks a type whose values are known to be valid. Only the function that validates a value can create it. */
export type Branded<T, Name extends string> = T & { readonly __brand: Name };
