import { addOtherAccount, setWhitelabelFound, updateDefaultAccount } from './accounts.ts';
import type { ControlAction } from './action.ts';
import { listApps } from './browse-apps.ts';
import { inspectDomain, listAllDomains } from './browse-domains.ts';
import { checkEventSignature, inspectEvent, listAllEvents, redeliverAny } from './browse-events.ts';
import { advanceClock, getClock, setClock, waitForExpectation } from './clock.ts';
import { addHold, listAllHolds, removeHold, trigger } from './domains.ts';
import { replay } from './replay.ts';
import {
  clearForcedErrors,
  exportAll,
  forceErrors,
  getCa,
  getCaPem,
  getChaos,
  getMail,
  getRequests,
  getSeedSchema,
  getStatus,
  importAll,
  listForcedErrors,
  reset,
  seed,
  seedText,
  setChaos,
  stopEmulator,
} from './state.ts';

export interface ControlRoute {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** The path below `/_emulator`. The only possible placeholder is `:param`. */
  path: string;
  action: ControlAction;
}

/** The routes of the control surface, in the order of `docs/emulator.md`. */
export const CONTROL_ROUTES: readonly ControlRoute[] = [
  { method: 'GET', path: '/status', action: getStatus },
  { method: 'POST', path: '/reset', action: reset },
  { method: 'PATCH', path: '/account', action: updateDefaultAccount },
  { method: 'GET', path: '/apps', action: listApps },
  { method: 'POST', path: '/apps', action: addOtherAccount },
  { method: 'GET', path: '/clock', action: getClock },
  { method: 'PATCH', path: '/clock', action: setClock },
  { method: 'POST', path: '/clock/advance', action: advanceClock },
  { method: 'GET', path: '/domains', action: listAllDomains },
  { method: 'GET', path: '/domains/:param', action: inspectDomain },
  { method: 'POST', path: '/domains/:param/trigger', action: trigger },
  { method: 'GET', path: '/events', action: listAllEvents },
  { method: 'GET', path: '/events/:param', action: inspectEvent },
  { method: 'POST', path: '/events/:param/redeliver', action: redeliverAny },
  { method: 'POST', path: '/events/:param/signature', action: checkEventSignature },
  { method: 'PATCH', path: '/apps/:param/whitelabel', action: setWhitelabelFound },
  { method: 'POST', path: '/expect', action: waitForExpectation },
  { method: 'GET', path: '/errors', action: listForcedErrors },
  { method: 'PUT', path: '/errors', action: forceErrors },
  { method: 'DELETE', path: '/errors', action: clearForcedErrors },
  { method: 'GET', path: '/holds', action: listAllHolds },
  { method: 'POST', path: '/holds', action: addHold },
  { method: 'DELETE', path: '/holds/:param', action: removeHold },
  { method: 'GET', path: '/mail', action: getMail },
  { method: 'GET', path: '/requests', action: getRequests },
  { method: 'POST', path: '/requests/:param/replay', action: replay },
  { method: 'GET', path: '/chaos', action: getChaos },
  { method: 'PUT', path: '/chaos', action: setChaos },
  { method: 'POST', path: '/seed', action: seed },
  { method: 'POST', path: '/seed/text', action: seedText },
  { method: 'GET', path: '/seed.schema.json', action: getSeedSchema },
  { method: 'GET', path: '/export', action: exportAll },
  { method: 'POST', path: '/import', action: importAll },
  { method: 'GET', path: '/ca', action: getCa },
  { method: 'GET', path: '/ca.pem', action: getCaPem },
  { method: 'POST', path: '/stop', action: stopEmulator },
];
