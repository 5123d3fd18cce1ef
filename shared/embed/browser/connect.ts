import { NameplateConnect } from './connect-element.ts';

export type { ConnectErrorDetail, ConnectStatusDetail } from './connect-events.ts';
/** The module `nameplate/connect`: importing it in a browser defines `<nameplate-connect>`. On a server, it defines nothing. */
export { NameplateConnect };

const TAG = 'nameplate-connect';
const { customElements: registry } = globalThis as Partial<Pick<Window, 'customElements'>>;
if (registry !== undefined && registry.get(TAG) === undefined) registry.define(TAG, NameplateConnect);

declare global {
  interface HTMLElementTagNameMap {
    'nameplate-connect': NameplateConnect;
  }
}
