import type { Suite } from './driver.ts';
import { general } from './sections/section-1-general.ts';
import { resources } from './sections/section-2-resources.ts';
import { holds } from './sections/section-3-holds.ts';
import { states } from './sections/section-3-states.ts';
import { timer } from './sections/section-3-test-mode.ts';
import { apps } from './sections/section-4-apps.ts';
import { certificates } from './sections/section-4-certificates.ts';
import { changingDomains } from './sections/section-4-changing-domains.ts';
import { diagnosis } from './sections/section-4-diagnosis.ts';
import { listingEvents } from './sections/section-4-event-lists.ts';
import { eventStream } from './sections/section-4-event-stream.ts';
import { hostnames } from './sections/section-4-hostnames.ts';
import { keys } from './sections/section-4-keys.ts';
import { listing } from './sections/section-4-listing.ts';
import { originProbes } from './sections/section-4-origin-probes.ts';
import { redeliver } from './sections/section-4-redeliver.ts';
import { traffic } from './sections/section-4-traffic.ts';
import { verify } from './sections/section-4-verify.ts';
import { whiteLabel } from './sections/section-4-white-label.ts';
import { authentication } from './sections/section-5-authentication.ts';
import { retries } from './sections/section-6-retries.ts';
import { webhooks } from './sections/section-6-webhooks.ts';
import { errors } from './sections/section-7-errors.ts';
import { idempotency } from './sections/section-7-idempotency.ts';
import { plansAndRates } from './sections/section-8-plans-and-rates.ts';

/** The whole suite, in the order of the contract. */
export const SUITES: Readonly<Record<string, Suite>> = {
  'The API as a whole': general,
  'The resources': resources,
  'States and transitions': states,
  'Held hostnames': holds,
  'Test domains': timer,
  Apps: apps,
  'Origin probes': originProbes,
  'White-label': whiteLabel,
  Keys: keys,
  Hostnames: hostnames,
  'Adding and changing domains': changingDomains,
  Lists: listing,
  'Lists of events': listingEvents,
  Verify: verify,
  Certificates: certificates,
  Traffic: traffic,
  Diagnosis: diagnosis,
  Redeliver: redeliver,
  'Event stream': eventStream,
  Authentication: authentication,
  Webhooks: webhooks,
  Retries: retries,
  Errors: errors,
  'Idempotency keys': idempotency,
  'Plans and rates': plansAndRates,
};
