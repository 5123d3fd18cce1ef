import type { DomainResource } from '../../../../shared/schema/domain.ts';
import type { EventResource } from '../../../../shared/schema/event.ts';
import { bindKeys, type KeyBinding, MOVE_KEYS } from '../../../screen/key-bindings.ts';
import type { NamedDomain, ViewAction, ViewState } from '../view-state.ts';

/** A command of a key that has effects outside the view's state, such as a request to the API. */
export type ViewCommand =
  | { do: 'leave'; interrupted: boolean }
  | { do: 'load'; event: EventResource }
  | { do: 'load_past' }
  | { do: 'redeliver'; event: EventResource }
  | { do: 'redeliver_all'; events: readonly EventResource[] }
  | { do: 'stop_bulk' }
  | { do: 'copy'; texts: readonly string[] }
  /** Copies a curl command that sends the event to the receiver. */
  | { do: 'curl_event'; event: EventResource }
  /** Copies a curl command that gets the domain from the API. */
  | { do: 'curl_domain'; domain: NamedDomain }
  | { do: 'open'; domainId: string }
  | { do: 'list_triggers'; domain: NamedDomain }
  | { do: 'trigger'; domain: NamedDomain; name: string }
  | { do: 'next_due' }
  | { do: 'show_domain'; id: string }
  | { do: 'load_domains'; filter: string; place: 'first' | 'next' }
  | { do: 'diagnose'; domain: DomainResource }
  | { do: 'verify'; domain: NamedDomain };

export type KeyStep = ViewAction | ViewCommand;
export type Bindings = readonly KeyBinding<ViewState, KeyStep>[];

export const bind = bindKeys<ViewState, KeyStep>;

export const ONLY_EMULATOR = { isEmulators: true };

/** Returns the command of a key that works only with an emulator. If the server is not an emulator, returns a notice that says this. */
export function withEmulator({ hasEmulator }: ViewState, command: ViewCommand): readonly KeyStep[] {
  if (hasEmulator) return [command];
  return [{ kind: 'noticed', notice: { text: 'This key works only with an emulator.', tone: 'plain' } }];
}

/** Keys that move in a list. @param ends the help text of the keys `g` and `G`. */
export const movesOf = (ends: string): Bindings => [
  bind('↑ ↓  j k', 'move by one row; the mouse wheel does too', MOVE_KEYS.rows),
  bind('PgUp PgDn', 'move by one screen', MOVE_KEYS.screens),
  bind('g G', ends, MOVE_KEYS.ends),
];

/** Keys that work on every screen, and in every panel that covers the list. */
export const COMMON_KEYS: Bindings = [
  bind(
    '.',
    "move the emulator's clock to the next due work",
    { '.': (state) => withEmulator(state, { do: 'next_due' }) },
    ONLY_EMULATOR,
  ),
  bind('?', 'show these keys', { '?': [{ kind: 'opened', panel: { open: 'help' } }] }),
];

/** Keys of both lists. Ctrl-C and Ctrl-Z have no handler here, because `pressKey` and the screen handle them everywhere. */
export const LEAVING_KEYS: Bindings = [
  bind('q  Ctrl-C', 'quit', { q: [{ do: 'leave', interrupted: false }] }),
  bind('Ctrl-Z', 'suspend; fg resumes', {}),
];
