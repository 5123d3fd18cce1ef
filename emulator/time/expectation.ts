import { STATUSES, type Status } from '../../shared/core/domains/status.ts';
import { validationFailed } from '../../shared/core/errors.ts';
import { EVENT_TYPES, type EventType } from '../../shared/core/webhooks/event.ts';

/** The event, delivery or domain status that a test waits for. */
export interface Expectation {
  /** An event type such as `domain.active`, or a status such as `active`. */
  what: EventType | Status;
  hostname?: string;
  domain_id?: string;
  /** Delivery status of the event. */
  delivery?: DeliveryStatus;
  /** Number of attempts to deliver the event so far. */
  attempts?: number;
  /** HTTP status code of the receiver's last response. */
  status_code?: number;
  /** `status_reason` of the domain, if `what` is a status. */
  reason?: string;
}

const DELIVERY_STATUSES = ['delivered', 'failed', 'pending', 'none'] as const;
type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/**
 * Parses an expectation such as `domain.active host=careers.acme.com delivered` or `cert_failed host=… reason=caa_forbids`.
 * @throws ServiceError `validation_failed` that names the wrong word and lists the possible words.
 */
export function readExpectation(text: string): Expectation {
  const [first = '', ...words] = text.trim().split(/\s+/);
  const what = [...EVENT_TYPES, ...STATUSES].find((each) => each === first);
  if (what === undefined) {
    throw refused(
      `"${first}" is neither an event type (${EVENT_TYPES.join(', ')}) nor a status (${STATUSES.join(', ')})`,
    );
  }
  const expectation: Expectation = { what };
  for (const word of words) readWord(expectation, word);
  return expectation;
}

/** Returns true for an event type. Its name contains a dot, unlike the name of a status. */
export function isOfEvent(what: Expectation['what']): what is EventType {
  return what.includes('.');
}

function readWord(expectation: Expectation, word: string): void {
  const ofEvent = isOfEvent(expectation.what);
  const delivery = DELIVERY_STATUSES.find((each) => each === word);
  const [, name = '', value = ''] = /^([a-z_]+)=(.+)$/.exec(word) ?? [];
  if (delivery !== undefined && ofEvent) expectation.delivery = delivery;
  else if (name === 'host') expectation.hostname = value.toLowerCase();
  else if (name === 'domain') expectation.domain_id = value;
  else if (name === 'reason' && !ofEvent) expectation.reason = value;
  else if (name === 'attempts' && ofEvent) expectation.attempts = wholeNumber(word, value);
  else if (name === 'status_code' && ofEvent) expectation.status_code = wholeNumber(word, value);
  else {
    const possible = ofEvent
      ? `host=, domain=, attempts=, status_code=, ${DELIVERY_STATUSES.join(', ')}`
      : 'host=, domain=, reason=';
    throw refused(`"${word}" is not possible after ${expectation.what}; use ${possible}`);
  }
}

function wholeNumber(word: string, value: string): number {
  if (/^\d{1,6}$/.test(value)) return Number(value);
  throw refused(`"${word}" needs a whole number of at most 6 digits`);
}

function refused(message: string) {
  return validationFailed({ path: 'expect', message });
}
