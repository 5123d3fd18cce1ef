/** The keys of the event view, which `?` lists. */
export const KEY_HELP: readonly { keys: string; does: string; emulator?: true }[] = [
  { keys: '↑ ↓  j k', does: 'move by one row, or scroll by one line' },
  { keys: 'PgUp PgDn', does: 'move by one screen' },
  { keys: 'g G', does: 'first row; last row, and follow' },
  { keys: 'Space', does: 'follow or stop following' },
  { keys: 'Enter', does: 'show attempts, signature and body' },
  { keys: '/', does: 'filter: type:active host:acme status:failed code>=400, or a word; Esc clears it' },
  { keys: 'f', does: 'show failed deliveries only, or all' },
  { keys: 'r', does: 'redeliver; the row shows the response' },
  { keys: 'R', does: 'redeliver all shown events, ten a minute; Esc stops' },
  { keys: 'y', does: "copy the event's id" },
  { keys: 'o', does: "open the domain's connect page" },
  { keys: 't', does: 'take the domain through a transition', emulator: true },
  { keys: '.', does: "move the emulator's clock to the next due work", emulator: true },
  { keys: '?', does: 'show these keys' },
  { keys: 'q  Ctrl-C', does: 'quit' },
  { keys: 'Ctrl-Z', does: 'suspend; fg resumes' },
];
