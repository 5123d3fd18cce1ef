import type { Account } from '../../shared/core/accounts/account.ts';
import type { Mode, Status } from '../../shared/core/domains/status.ts';
import type { TriggerName } from '../../shared/core/domains/transitions.ts';
import type { SeenRequest } from '../../shared/edge/forwarding/seen-request.ts';
import type { ApiKeyResource } from '../../shared/schema/api-key.ts';
import type { AppResource } from '../../shared/schema/app.ts';
import type { Diagnosis } from '../../shared/schema/diagnosis.ts';
import type { DomainResource } from '../../shared/schema/domain.ts';
import type { EventDetail, EventResource } from '../../shared/schema/event.ts';

/** The responses that only the control surface has, not the API. The server and the lab's script share these types. Times are RFC 3339. */

/** A page of a list by offset, so that a long view loads only its visible rows. */
export interface Listing<T> {
  /** Number of rows that match the filter. */
  total: number;
  /** Offset of the first row in `data`. */
  offset: number;
  data: T[];
}

export interface ListedDomain {
  id: string;
  app_id: string;
  mode: Mode;
  hostname: string;
  status: Status;
  status_reason: string | null;
  status_since: string;
}

export interface DomainListing extends Listing<ListedDomain> {
  /** Number of domains in each status, regardless of the status filter. */
  by_status: Partial<Record<Status, number>>;
}

/** A domain with the details that only the emulator shows. */
export interface InspectedDomain {
  app_id: string;
  domain: DomainResource;
  status_since: string;
  /** While the domain is held, the status that a release restores. */
  status_before_hold: Status | null;
  /** Triggers that the state machine accepts now. */
  possible: TriggerName[];
  findings: Diagnosis['findings'];
  /** Scheduled jobs of the domain, the next one first. */
  jobs: { kind: string; due_at: string }[];
}

export interface ListedEvent extends EventResource {
  app_id: string;
}

export interface InspectedEvent extends EventDetail {
  app_id: string;
}

/** A signature of an event's body, and whether a receiver accepts it. */
export interface SignatureVerdict {
  /** Name of the signature header. */
  header: string;
  /** The signature from the request. If the request has none, a signature made now. */
  value: string;
  accepted: boolean;
  message: string;
}

export interface InspectedKey extends ApiKeyResource {
  /** The whole key if it is one of the emulator's default keys; null otherwise, because only hashes are stored. */
  key: string | null;
}

export interface InspectedApp {
  app: AppResource;
  account: Omit<Account, 'trial_ends_at' | 'created_at'> & {
    trial_ends_at: string | null;
    created_at: string;
  };
  is_default: boolean;
  /** The signing secrets, newest first. There are two during a rotation. */
  signing_secrets: string[];
  keys: InspectedKey[];
  domains: Record<Mode, number>;
}

/** A request as the edge received it. */
export interface RequestAtEdge extends Omit<SeenRequest, 'at'> {
  at: string;
}

/** The response to a replayed request. */
export interface ReplayResponse {
  status: number;
  headers: [name: string, value: string][];
  /** Beginning of the body, as text. */
  body: string;
  /** True if the body was longer and was cut. */
  body_cut: boolean;
}

export interface ClockReading {
  mode: 'real' | 'auto' | 'frozen';
  now: string;
  /** How far the clock is ahead of the machine's, in milliseconds. */
  offset_ms: number;
  /** Present while the clock is being moved: the number of steps so far. */
  moving?: { steps: number };
}

/** A message of the event stream. */
export interface ChangeMessage {
  clock: ClockReading;
  /** When the next work comes due; null if none does. */
  next_due_at: string | null;
}

export interface StatusResponse {
  version: string;
  clock: ClockReading;
  counts: Record<string, number>;
  urls: Record<string, string>;
  keys: { test: string; live: string; webhook_secret: string };
}
