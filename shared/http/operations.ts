import type { FieldProblem } from '../core/errors.ts';
import type { Answer, Caller, Context } from '../operations/context.ts';
import { createDomain } from '../operations/create-domain.ts';
import { createKey } from '../operations/create-key.ts';
import { deleteDomain } from '../operations/delete-domain.ts';
import { domainFieldProblems } from '../operations/domain-fields.ts';
import { getCurrentApp } from '../operations/get-app.ts';
import { getDomain } from '../operations/get-domain.ts';
import { getEvent } from '../operations/get-event.ts';
import { listDomains } from '../operations/list-domains.ts';
import { listEvents } from '../operations/list-events.ts';
import { listKeys } from '../operations/list-keys.ts';
import { redeliverEvent } from '../operations/redeliver-event.ts';
import { revokeKey } from '../operations/revoke-key.ts';
import { permitRotation, rotateSigningSecret } from '../operations/rotate-signing-secret.ts';
import { appFieldProblems, permitUpdateApp, updateCurrentApp } from '../operations/update-app.ts';
import { updateDomain } from '../operations/update-domain.ts';
import { verifyDomain } from '../operations/verify-domain.ts';
import type { AnswerBody, DocumentId, ParsedBody, ParsedQuery } from '../schema/routes.ts';

/** A request as an operation gets it, checked by the route's schemas. */
export interface Input<Id extends DocumentId> {
  params: { id: string };
  query: ParsedQuery<Id>;
  body: ParsedBody<Id>;
  /** The fields of the body that its schema does not know. */
  unknownFields: readonly string[];
}

export interface Operation<Id extends DocumentId> {
  /** What the key alone forbids; asked before the rate, the size and the fields (`docs/errors.md`). */
  permit?: (context: Context, caller: Caller) => Promise<void>;
  /** What is wrong with the body beside what its schema finds, so that one answer can list it all. */
  problems?: (context: Context, body: Record<string, unknown>) => FieldProblem[];
  /** True for a page of a list, which takes many times as long as a request for one resource. */
  isList?: true;
  run: (context: Context, caller: Caller, input: Input<Id>) => Promise<Answer<AnswerBody<Id>>>;
}

/** Which use case serves which route of section 4. */
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
  // Loaded by the first that is asked for, with all that it knows about DNS.
  diagnoseDomain: {
    run: async (context, caller, input) =>
      (await import('../operations/diagnose-domain.ts')).diagnoseDomain(context, caller, input),
  },
  listEvents: { run: listEvents, isList: true },
  getEvent: { run: getEvent },
  redeliverEvent: { run: redeliverEvent },
};
