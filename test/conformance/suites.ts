import type { Suite } from './driver.ts';
import { general } from './section-1-general.ts';
import { resources } from './section-2-resources.ts';
import { holds } from './section-3-holds.ts';
import { states } from './section-3-states.ts';
import { timer } from './section-3-test-mode.ts';
import { apps } from './section-4-apps.ts';
import { changingDomains } from './section-4-changing-domains.ts';
import { diagnosis } from './section-4-diagnosis.ts';
import { eventStream } from './section-4-event-stream.ts';
import { hostnames } from './section-4-hostnames.ts';
import { keys } from './section-4-keys.ts';
import { listing } from './section-4-listing.ts';
import { originProbes } from './section-4-origin-probes.ts';
import { redeliver } from './section-4-redeliver.ts';
import { verify } from './section-4-verify.ts';
import { whiteLabel } from './section-4-white-label.ts';
import { authentication } from './section-5-authentication.ts';
import { retries } from './section-6-retries.ts';
import { webhooks } from './section-6-webhooks.ts';
import { errors } from './section-7-errors.ts';
import { idempotency } from './section-7-idempotency.ts';
import { plansAndRates } from './section-8-plans-and-rates.ts';

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
  Verify: verify,
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
