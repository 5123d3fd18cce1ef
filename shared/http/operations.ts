import type { FieldProblem } from '../core/errors.ts';
import { createKey, listKeys, revokeKey } from '../operations/apps/api-keys.ts';
import { getCurrentApp } from '../operations/apps/present-app.ts';
import { permitRotation, rotateSigningSecret } from '../operations/apps/rotate-signing-secret.ts';
import { appFieldProblems, permitUpdateApp, updateCurrentApp } from '../operations/apps/update-app.ts';
import { listCertificates } from '../operations/certificates/served-certificates.ts';
import { createConnectToken } from '../operations/connect/connect-tokens.ts';
import type { Answer, Caller, Context } from '../operations/context.ts';
import { diagnoseDomain } from '../operations/dns/diagnose-domain.ts';
import { createDomain } from '../operations/domains/create-domain.ts';
import { domainFieldProblems } from '../operations/domains/domain-fields.ts';
import { getDomain, listDomains } from '../operations/domains/present-domain.ts';
import { deleteDomain, updateDomain } from '../operations/domains/update-domain.ts';
import { getEvent, listEvents } from '../operations/events/present-event.ts';
import { redeliverEvent } from '../operations/events/redeliver-event.ts';
import { verifyDomain } from '../operations/request-check.ts';
import { getDomainTraffic, getTraffic } from '../operations/traffic/get-traffic.ts';
import type { DocumentId, ParsedBody, ParsedQuery, ResponseBody } from '../schema/routes.ts';

/** The input of an operation, checked by the route's schemas. */
export interface Input<Id extends DocumentId> {
  params: { id: string };
  query: ParsedQuery<Id>;
  body: ParsedBody<Id>;
  /** The names of the body's fields that are not in the schema. */
  unknownFields: readonly string[];
}

export interface Operation<Id extends DocumentId> {
  /**
   * Throws if the caller's key may not run the operation. This check runs before the checks of the rate, the size and the fields
   * (`docs/errors.md`).
   */
  permit?: (context: Context, caller: Caller) => Promise<void>;
  /** Returns problems of the body that the schema cannot find, so that one response can list all problems. */
  problems?: (context: Context, body: Record<string, unknown>) => FieldProblem[];
  /** True if the operation returns a list page, which takes many times as long as a single resource. */
  isList?: true;
  run: (context: Context, caller: Caller, input: Input<Id>) => Promise<Answer<ResponseBody<Id>>>;
}

/** The operation of each route of `docs/api.md#operations`. */
export const OPERATIONS: { [Id in DocumentId]: Operation<Id> } = {
  getApp: { run: getCurrentApp },
  updateApp: { run: updateCurrentApp, permit: permitUpdateApp, problems: appFieldProblems },
  rotateSigningSecret: { run: rotateSigningSecret, permit: permitRotation },
  listKeys: { run: listKeys, isList: true },
  createKey: { run: createKey },
  revokeKey: { run: revokeKey },
  createDomain: { run: createDomain, problems: domainFieldProblems },
  listDomains: { run: listDomains, isList: true },
  getDomain: { run: getDomain },
  updateDomain: { run: updateDomain, problems: domainFieldProblems },
  deleteDomain: { run: deleteDomain },
  verifyDomain: { run: verifyDomain },
  createConnectToken: { run: createConnectToken },
  diagnoseDomain: { run: diagnoseDomain },
  listCertificates: { run: listCertificates, isList: true },
  getDomainTraffic: { run: getDomainTraffic, isList: true },
  getTraffic: { run: getTraffic, isList: true },
  listEvents: { run: listEvents, isList: true },
  getEvent: { run: getEvent },
  redeliverEvent: { run: redeliverEvent },
};
