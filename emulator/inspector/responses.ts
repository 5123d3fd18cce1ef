import type { Mode, Status } from '../../shared/core/domains/status.ts';
import type { TriggerName } from '../../shared/core/domains/transitions.ts';
import type { SeenRequest } from '../../shared/edge/forwarding/seen-request.ts';
import type { ApiKeyResource } from '../../shared/schema/api-key.ts';
import type { AppResource } from '../../shared/schema/app.ts';
import type { Diagnosis } from '../../shared/schema/diagnosis.ts';
import type { DomainResource } from '../../shared/schema/domain.ts';
import type { EventDetail, EventResource } from '../../shared/schema/event.ts';

/** What the control surface answers beyond the API, as both of its ends see it. Times are RFC 3339. */

/** A part of a list, found by its place: whoever shows a list of any length asks for what can be seen of it. */
export interface Listing<T> {
  /** How many fit the filter. */
  total: number;
  /** The place of the first one in `data`. */
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
  /** How many there are in each status, whatever status is asked for. */
  by_status: Partial<Record<Status, number>>;
}

/** A domain with what only its emulator knows. */
export interface InspectedDomain {
  app_id: string;
  domain: DomainResource;
  status_since: string;
  /** Where a release leads, while it is held. */
  status_before_hold: Status | null;
  /** The triggers that some row of the state machine takes now. */
  possible: TriggerName[];
  findings: Diagnosis['findings'];
  /** What is due for it by itself, the next first. */
  jobs: { kind: string; due_at: string }[];
}

export interface ListedEvent extends EventResource {
  app_id: string;
}

export interface InspectedEvent extends EventDetail {
  app_id: string;
}

/** A signature of an event's body, and what a receiver makes of it. */
export interface SignatureVerdict {
  /** The name of the header. */
  header: string;
  /** The one that was asked about; else the one that a delivery of now would carry. */
  value: string;
  accepted: boolean;
  message: string;
}

export interface InspectedKey extends ApiKeyResource {
  /** The whole key, where it is one of the emulator's own: no other is stored. */
  key: string | null;
}

export interface InspectedApp {
  app: AppResource;
  account: {
    id: string;
    name: string;
    plan: string;
    trial_ends_at: string | null;
    promotional: boolean;
    card_on_file: boolean;
    suspended: boolean;
    created_at: string;
  };
  is_default: boolean;
  /** The newest first; two during a rotation. */
  signing_secrets: string[];
  keys: InspectedKey[];
  domains: Record<Mode, number>;
}

/** A request as the edge saw it. */
export interface RequestAtEdge extends Omit<SeenRequest, 'at'> {
  at: string;
}

/** What came of sending a request through the edge once more. */
export interface ReplayAnswer {
  status: number;
  headers: [name: string, value: string][];
  /** The beginning of the body, as text. */
  body: string;
  /** Whether there was more of it. */
  body_cut: boolean;
}

export interface ClockReading {
  mode: 'real' | 'auto' | 'frozen';
  now: string;
  /** How far it is ahead of the machine's. */
  offset_ms: number;
  /** While it is being moved: what has been done so far. */
  moving?: { steps: number };
}

export interface EmulatorStatus {
  version: string;
  clock: ClockReading;
  counts: Record<string, number>;
  urls: Record<string, string>;
  keys: { test: string; live: string; webhook_secret: string };
}

/** The faults as they are set; shares are of 1. */
export interface ChaosReading
  extends Record<
    | 'fail'
    | 'timeout'
    | 'duplicate'
    | 'reorder'
    | 'bad_signature'
    | 'old_signature'
    | 'delay_ms'
    | 'skew_ms'
    | 'seed',
    number
  > {
  types: readonly string[] | null;
  domains: readonly string[] | null;
  api: Record<'rate_limited' | 'internal_error' | 'slow' | 'delay_ms', number>;
}
