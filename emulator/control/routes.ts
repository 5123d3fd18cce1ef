import { addApp, setWhitelabelFound, updateDefaultAccount } from './accounts.ts';
import type { ControlAction } from './action.ts';
import { advanceClock, getClock, setClock } from './clock.ts';
import { hold, listAllHolds, release, trigger } from './domains.ts';
import { forceErrors, setChaos } from './faults.ts';
import { exportAll, getMail, getRequests, getStatus, importAll, reset } from './state.ts';

export interface ControlRoute {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below `/_emulator`; `:param` is the one placeholder. */
  path: string;
  action: ControlAction;
}

/** The control surface, row by row as `docs/emulator.md` gives it. */
export const CONTROL_ROUTES: readonly ControlRoute[] = [
  { method: 'GET', path: '/status', action: getStatus },
  { method: 'POST', path: '/reset', action: reset },
  { method: 'PATCH', path: '/account', action: updateDefaultAccount },
  { method: 'POST', path: '/apps', action: addApp },
  { method: 'GET', path: '/clock', action: getClock },
  { method: 'PATCH', path: '/clock', action: setClock },
  { method: 'POST', path: '/clock/advance', action: advanceClock },
  { method: 'POST', path: '/domains/:param/trigger', action: trigger },
  { method: 'PATCH', path: '/apps/:param/whitelabel', action: setWhitelabelFound },
  { method: 'PUT', path: '/errors', action: forceErrors },
  { method: 'GET', path: '/holds', action: listAllHolds },
  { method: 'POST', path: '/holds', action: hold },
  { method: 'DELETE', path: '/holds/:param', action: release },
  { method: 'GET', path: '/mail', action: getMail },
  { method: 'GET', path: '/requests', action: getRequests },
  { method: 'PUT', path: '/chaos', action: setChaos },
  { method: 'GET', path: '/export', action: exportAll },
  { method: 'POST', path: '/import', action: importAll },
];
