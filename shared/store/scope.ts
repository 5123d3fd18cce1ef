import type { Mode } from '../core/domains/status.ts';
import type { AppId } from '../core/ids.ts';

/** The app and mode whose domains and events a query may see. Every such query takes one, so that a forgotten check does not compile. */
export interface Scope {
  app_id: AppId;
  mode: Mode;
}
