import type { DomainResource } from '../../../../shared/schema/domain.ts';
import type { EventResource } from '../../../../shared/schema/event.ts';
import { bind, type KeyBinding } from '../../../screen/key-bindings.ts';
import type { KeyPress } from '../../../screen/use-keys.ts';
import { filterPanel } from '../filter-panel.ts';
import type { NamedDomain, Panel, ViewAction, ViewState } from '../view-state.ts';

/** A command that has effects outside the state. */
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
  /** Copies a curl command that asks the API for the domain. */
  | { do: 'curl_domain'; domain: NamedDomain }
  | { do: 'open'; domainId: string }
  | { do: 'list_triggers'; domain: NamedDomain }
  | { do: 'trigger'; domain: NamedDomain; name: string }
  | { do: 'next_due' }
  | { do: 'show_domain'; id: string }
  | { do: 'load_domains'; filter: string; place: 'first' | 'next' }
  | { do: 'diagnose'; domain: DomainResource }
  | { do: 'verify'; domain: NamedDomain };

/** The effect of a key: actions on the state, and a command. */
export interface KeyOutcome {
  actions: readonly ViewAction[];
  command?: ViewCommand;
}

export type KeyHandler = (state: ViewState, key: KeyPress) => KeyOutcome;
export type Bindings = readonly KeyBinding<KeyHandler>[];

export const NOTHING: KeyOutcome = { actions: [] };

export function change(...actions: ViewAction[]): () => KeyOutcome {
  return () => ({ actions });
}

export function run(command: ViewCommand): KeyOutcome {
  return { actions: [], command };
}

export function open(panel: Panel): KeyOutcome {
  return { actions: [{ kind: 'opened', panel }] };
}

/** Returns the actions that replace the filter of events. */
export function filteredBy(text: string, before: ViewState['rows']['filter']): readonly ViewAction[] {
  return [
    { kind: 'opened', panel: filterPanel('events', before.text) },
    { kind: 'drafted', input: { text, cursor: 0 } },
    { kind: 'closed' },
  ];
}

export function close(): KeyOutcome {
  return { actions: [{ kind: 'closed' }] };
}

/** Returns the outcome for a key that only an emulator has, or says so. */
export function withEmulator({ hasEmulator }: ViewState, command: ViewCommand): KeyOutcome {
  if (hasEmulator) return run(command);
  const notice = { text: 'This key works only with an emulator.', tone: 'plain' } as const;
  return { actions: [{ kind: 'noticed', notice }] };
}

/** Keys that work on every screen, and in every panel that covers the list. */
export const COMMON_KEYS: Bindings = [
  bind(
    '.',
    "move the emulator's clock to the next due work",
    { '.': (state) => withEmulator(state, { do: 'next_due' }) },
    { isEmulators: true },
  ),
  bind('?', 'show these keys', { '?': change({ kind: 'opened', panel: { open: 'help' } }) }),
];

/** Keys of both lists. Ctrl-C and Ctrl-Z work everywhere, so `pressKey` and the screen handle them. */
export const LEAVING_KEYS: Bindings = [
  bind('q  Ctrl-C', 'quit', { q: () => run({ do: 'leave', interrupted: false }) }),
  bind('Ctrl-Z', 'suspend; fg resumes', {}),
];
