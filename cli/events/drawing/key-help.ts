/** A line of `?`: the keys, and what they do. */
interface KeyHelp {
  keys: string;
  does: string;
  emulator?: true;
}

const BOTH: readonly KeyHelp[] = [
  { keys: 'Tab', does: 'switch between events and domains' },
  { keys: '↑ ↓  j k', does: 'move by one row, or scroll by one line; the mouse wheel does too' },
  { keys: 'PgUp PgDn', does: 'move by one screen' },
  { keys: 'y', does: 'copy the id, or the ids of the selected events' },
  { keys: 'o', does: "open the domain's connect page" },
  { keys: 't', does: 'take the domain through a transition', emulator: true },
  { keys: '.', does: "move the emulator's clock to the next due work", emulator: true },
  { keys: 'm', does: 'turn the mouse wheel off, so that the mouse selects text, or on again' },
  { keys: '?', does: 'show these keys' },
  { keys: 'q  Ctrl-C', does: 'quit' },
  { keys: 'Ctrl-Z', does: 'suspend; fg resumes' },
];

const EVENTS: readonly KeyHelp[] = [
  { keys: 'g G', does: 'first row; last row, and follow' },
  { keys: 'Space', does: 'follow or stop following' },
  { keys: 'Enter', does: 'show the request, the attempts with their responses, and the body' },
  { keys: 'n p', does: 'in an event: show the next one, or the previous one' },
  {
    keys: '/',
    does: 'filter: type:active host:acme|globex -status:failed code>=400, or a word',
  },
  { keys: '/  ↑ ↓', does: 'recall an earlier filter; Esc clears the filter' },
  { keys: 'f', does: 'show failed deliveries only, or all' },
  { keys: 's', does: 'sort by time, host, type or delivery' },
  { keys: 'x', does: 'select the event, to redeliver or copy several; Esc deselects all' },
  {
    keys: 'r',
    does: 'redeliver the event or the selected ones; the row shows the response; asks in live mode',
  },
  { keys: 'R', does: 'redeliver all shown events, ten a minute; Esc stops' },
  { keys: 'c', does: 'copy a curl command that sends the event to your receiver' },
  { keys: 'd', does: "show the event's domain" },
];

const DOMAINS: readonly KeyHelp[] = [
  { keys: 'g G', does: 'first row; last loaded row' },
  { keys: 'Enter', does: 'show the records, the status and the certificate' },
  { keys: 'd', does: 'diagnose: look up everything in the DNS, and show what to fix' },
  { keys: 'v', does: 'check the DNS now' },
  { keys: 'e', does: "show the domain's events" },
  { keys: '/', does: 'filter by the beginning of a hostname, and by status:active; Esc clears it' },
  { keys: 'c', does: 'copy a curl command that asks the API for the domain' },
];

/** The keys of the view, which `?` lists: those of the screen first. */
export const KEY_HELP = {
  events: [...EVENTS, ...BOTH],
  domains: [...DOMAINS, ...BOTH],
} as const;
