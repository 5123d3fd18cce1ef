import type { Mode } from '../core/domains/status.ts';
import type { AppId } from '../core/ids.ts';

/** Whose domains and events: every query of them takes one, so that a forgotten check cannot compile. */
export interface Scope {
  app_id: AppId;
  mode: Mode;
}
