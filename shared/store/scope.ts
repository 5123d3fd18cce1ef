import type { Mode } from '../core/domains/status.ts';
import type { AppId } from '../core/ids.ts';

/**
 * The app and the mode to which a query of domains or events is limited. Every such query requires a `Scope`, so that a caller who forgets
 * the check does not compile.
 */
export interface Scope {
  app_id: AppId;
  mode: Mode;
}
