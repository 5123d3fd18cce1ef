import { effectivePlan } from '../../core/accounts/account.ts';
import { type Metadata, parseMetadata } from '../../core/domains/metadata.ts';
import { type OriginHeaders, parseOriginHeaders } from '../../core/edge/origin-headers.ts';
import { type FieldProblem, validationFailed } from '../../core/errors.ts';
import { shortList } from '../../core/text/printable.ts';
import type { UpdateDomain, Warning } from '../../schema/domain.ts';
import { findAccount } from '../../store/accounts/accounts.ts';
import type { Caller, Context } from '../context.ts';
import { checkOrigin } from '../edge/check-origin.ts';

/** What create and update of a domain have in common: the fields of section 4.3 that can be given in either. */
export interface DomainFields {
  metadata?: Metadata | null;
  origin_headers?: OriginHeaders | null;
}

/** What is wrong with these fields, beside what the route's schema finds: every problem at once. */
export function domainFieldProblems(context: Context, body: Record<string, unknown>): FieldProblem[] {
  return parseFields(context, body).problems;
}

/** The fields that were given. @throws ServiceError `validation_failed`, for a caller that did not ask for the problems first. */
export function readFields(context: Context, { metadata, origin_headers }: UpdateDomain): DomainFields {
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
    if ('problem' in read) problems.push(read.problem);
    else fields.metadata = read.value;
  }
  if (origin_headers !== undefined) {
    const read = parseOriginHeaders(origin_headers, context.settings.names);
    if ('problems' in read) problems.push(...read.problems);
    else fields.origin_headers = read.value;
  }
  return { fields, problems };
}

/** Section 4.3, rule 4. `none` on a subdomain asks for nothing and is accepted. */
export function checkApexRedirect(is_apex: boolean, apex_redirect: UpdateDomain['apex_redirect']): void {
  if (apex_redirect === 'www' && !is_apex) {
    throw validationFailed({
      path: 'apex_redirect',
      message: 'is for apex domains only; this is a subdomain',
    });
  }
}

/**
 * Section 4.3, rule 2: an origin of the domain's own needs a plan that has them; others ignore it, with a warning.
 * @returns `origin` undefined where none was asked for or it was ignored.
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
  if (account === null || !effectivePlan(account, context.settings.plans, now).per_domain_origin) {
    return { warnings: [{ code: 'origin_ignored_by_plan', message: ORIGIN_IGNORED }] };
  }
  return { origin: await checkOrigin(context, caller.app_id, origin), warnings: [] };
}

/** Returns a warning that names the fields of a request that no operation knows, if there are any. */
export function unknownFieldWarnings(names: readonly string[] = []): Warning[] {
  if (names.length === 0) return [];
  const message = `These fields are not known and were ignored: ${shortList(names)}. Check their spelling.`;
  return [{ code: 'unknown_field_ignored', message }];
}

const ORIGIN_IGNORED =
  "The origin was ignored: an origin per domain needs the Scale plan. The app's origin is used.";
