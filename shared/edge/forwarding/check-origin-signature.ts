import { timingSafeEqual } from 'node:crypto';
import { LIMITS } from '../../core/limits.ts';
import type { ServiceNames } from '../../core/service-name.ts';
import { signOriginRequest } from '../../core/webhooks/signature.ts';
import { headerValues } from '../wire/raw-headers.ts';

/**
 * Checks that the edge has signed a request that an origin received. If the check fails, returns the reason. The origin of an app should
 * make the same check.
 */
export function checkOriginSignature(
  request: { method: string; pathAndQuery: string; rawHeaders: readonly string[] },
  secrets: readonly string[],
  { names, nowS }: { names: ServiceNames; nowS: number },
): OriginSignature {
  const one = (name: string): string | null => {
    const [value, ...more] = headerValues(request.rawHeaders, name);
    return more.length > 0 ? null : (value ?? null);
  };
  const [host, domainId, signature, sent] = [
    one('host'),
    one(names.domain_id_header),
    one(names.origin_signature_header),
    one(names.timestamp_header),
  ];
  if (host === null || domainId === null || signature === null || sent === null) return no('not_signed');
  if (!/^[0-9]{1,12}$/.test(sent)) return no('malformed_header');
  const timestampS = Number(sent);
  const { method, pathAndQuery } = request;
  const matches = secrets.some((secret) =>
    sameText(
      signature,
      signOriginRequest({
        secret,
        timestampS,
        method,
        host,
        pathAndQuery,
        domain_id: domainId,
      }),
    ),
  );
  if (!matches) return no(secrets.length === 0 ? 'unknown_domain' : 'no_match');
  const ageS = nowS - timestampS;
  if (ageS > LIMITS.signature_tolerance_s) return no('timestamp_too_old');
  if (ageS < -LIMITS.signature_tolerance_s) return no('timestamp_in_future');
  return { verified: true, reason: null };
}

/** The reasons of `verifyOriginRequest`, plus `not_signed` and `unknown_domain`. */
export type OriginSignature = { verified: true; reason: null } | { verified: false; reason: Unverified };

type Unverified =
  | 'not_signed'
  | 'malformed_header'
  | 'unknown_domain'
  | 'no_match'
  | 'timestamp_too_old'
  | 'timestamp_in_future';

function no(reason: Unverified): OriginSignature {
  return { verified: false, reason };
}

function sameText(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
