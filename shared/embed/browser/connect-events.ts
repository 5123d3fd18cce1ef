/**
 * The detail of `nameplate:status`, and of the event that is named after the new status, such as `nameplate:active`. The component
 * dispatches both events when it first learns the status, and whenever the status changes.
 */
export interface ConnectStatusDetail {
  domainId: string;
  hostname: string;
  /** A status of a domain, such as `pending_dns` or `active`. */
  status: string;
  /** The previous status; null for the first status that the component learns. */
  previousStatus: string | null;
  mode: 'live' | 'test';
}

/** The detail of `nameplate:error`: a request failed. The component tries again by itself, except after `unauthorized`. */
export interface ConnectErrorDetail {
  /** An error code of the API, or `network_error`. */
  code: string;
  message: string;
}

/** Dispatches an event that also reaches listeners outside of a shadow root. */
export function sendEvent(target: EventTarget, name: string, detail: object): void {
  target.dispatchEvent(new CustomEvent(`nameplate:${name}`, { detail, bubbles: true, composed: true }));
}
