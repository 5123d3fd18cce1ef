import { effectivePlan } from '../../core/accounts/account.ts';
import { planRequirement } from '../../core/accounts/plan.ts';
import { type Metadata, parseMetadata } from '../../core/domains/metadata.ts';
import { type OriginHeaders, parseOriginHeaders } from '../../core/edge/origin-headers.ts';
import { type FieldProblem, validationFailed } from '../../core/errors.ts';
import { shortList } from '../../core/text/printable.ts';
import type { UpdateDomain, Warning } from '../../schema/domain.ts';
import { findAccount } from '../../store/accounts/accounts.ts';
import type { Caller, Context } from '../context.ts';
import { checkOrigin } from '../edge/probe-origin.ts';

/** The fields of `docs/api.md#domains` that both create and update accept. */
export interface DomainFields {
  metadata?: Metadata | null;
  origin_headers?: OriginHeaders | null;
}

/** Returns all problems of a domain's fields that the route's schema cannot detect. */
export function domainFieldProblems(context: Context, body: Record<string, unknown>): FieldProblem[] {
  return parseFields(context, body).problems;
}

/**
 * Returns the given fields, parsed.
 * @throws ServiceError `validation_failed` if a field is invalid. Callers check `domainFieldProblems` first.
 */
export function readDomainFields(context: Context, { metadata, origin_headers }: UpdateDomain): DomainFields {
  const { fields, problems } = parseFields(context, { metadata, origin_headers });
  if (problems.length > 0) throw validationFailed(...problems);
  return fields;
}

function parseFields(
  context: Context,
  { metadata, origin_headers }: Record<string, unknown>,
): { fields: DomainFields; problems: FieldProblem[] } {
  const fields: DomainFields = {};
  const problems: FieldProblem[] = [];
  if (metadata !== undefined) {
    const read = parseMetadata(metadata);
    if (read.ok) fields.metadata = read.value;
    else problems.push(read.problem);
  }
  if (origin_headers !== undefined) {
    const read = parseOriginHeaders(origin_headers, context.settings.names);
    if (read.ok) fields.origin_headers = read.value;
    else problems.push(...read.problem);
  }
  return { fields, problems };
}

/** Refuses the value `www` for a subdomain (`docs/api.md#domains`). Accepts `none` for a subdomain, where it has no effect. */
export function checkApexRedirect(isApex: boolean, apexRedirect: UpdateDomain['apex_redirect']): void {
  if (apexRedirect === 'www' && !isApex) {
    throw validationFailed({
      path: 'apex_redirect',
      message: 'applies to apex domains only; this hostname is a subdomain',
    });
  }
}

/**
 * Checks an origin that is set for a single domain (`docs/api.md#domains`). If the plan does not include such origins, ignores the origin
 * and returns a warning.
 * @returns `origin` is undefined if none was given, or if it was ignored.
 * @throws ServiceError `origin_not_allowed`.
 */
export async function readOrigin(
  context: Context,
  caller: Caller,
  origin: string | null | undefined,
): Promise<{ origin?: string | null; warnings: Warning[] }> {
  if (origin === undefined) return { warnings: [] };
  if (origin === null) return { origin, warnings: [] };
  const account = await findAccount(context.store, caller.account_id);
  const now = context.clock.now();
  const { plans } = context.settings;
  if (account === null || !effectivePlan(account, plans, now).per_domain_origin) {
    const requirement = planRequirement(plans, 'per_domain_origin');
    const message = `The origin was ignored: an origin per domain ${requirement}. The app's origin is used.`;
    return { warnings: [{ code: 'origin_ignored_by_plan', message }] };
  }
  return { origin: await checkOrigin(context, caller.app_id, origin), warnings: [] };
}

/** Returns a warning that lists the request's unknown fields, if there are any. */
export function unknownFieldWarnings(names: readonly string[] = []): Warning[] {
  if (names.length === 0) return [];
  const message = `These unknown fields were ignored: ${shortList(names)}. Check their spelling.`;
  return [{ code: 'unknown_field_ignored', message }];
}
