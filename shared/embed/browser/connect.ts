import { NameplateConnect } from './connect-element.ts';
import type { ConnectErrorDetail, ConnectStatusDetail } from './connect-events.ts';

export type { ConnectErrorDetail, ConnectStatusDetail };
/** The module `nameplate/connect`: importing it in a browser defines `<nameplate-connect>`. On a server, it defines nothing. */
export { NameplateConnect };

const TAG = 'nameplate-connect';
const { customElements: registry } = globalThis as Partial<Pick<Window, 'customElements'>>;
if (registry !== undefined && registry.get(TAG) === undefined) registry.define(TAG, NameplateConnect);

declare global {
  interface HTMLElementTagNameMap {
    'nameplate-connect': NameplateConnect;
  }
  /** The types of the component's events. Because the events bubble, listeners on the document and the window get them too. */
  interface GlobalEventHandlersEventMap {
    'nameplate:status': CustomEvent<ConnectStatusDetail>;
    'nameplate:pending_dns': CustomEvent<ConnectStatusDetail>;
    'nameplate:verifying': CustomEvent<ConnectStatusDetail>;
    'nameplate:issuing': CustomEvent<ConnectStatusDetail>;
    'nameplate:active': CustomEvent<ConnectStatusDetail>;
    'nameplate:dns_broken': CustomEvent<ConnectStatusDetail>;
    'nameplate:cert_failed': CustomEvent<ConnectStatusDetail>;
    'nameplate:expired': CustomEvent<ConnectStatusDetail>;
    'nameplate:held': CustomEvent<ConnectStatusDetail>;
    'nameplate:token-expired': CustomEvent<object>;
    'nameplate:error': CustomEvent<ConnectErrorDetail>;
  }
}
