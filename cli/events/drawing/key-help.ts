/** The keys of the event view, as `?` shows them. */
export const KEY_HELP: readonly { keys: string; does: string; emulator?: true }[] = [
  { keys: '↑ ↓  j k', does: 'one row, or one line of a detail' },
  { keys: 'PgUp PgDn', does: 'one screen' },
  { keys: 'g G', does: 'the first row; the last, and follow' },
  { keys: 'Space', does: 'follow, or stop following' },
  { keys: 'Enter', does: 'the event: attempts, signature, body' },
  { keys: '/', does: 'filter: type:active host:acme status:failed code>=400, or a word; Esc clears it' },
  { keys: 'f', does: 'failed deliveries only, or all' },
  { keys: 'r', does: 'redeliver; the answer shows on its row' },
  { keys: 'R', does: 'redeliver all shown, ten a minute; Esc stops' },
  { keys: 'y', does: "copy the event's id" },
  { keys: 'o', does: "open the domain's connect page" },
  { keys: 't', does: 'take the domain through a transition', emulator: true },
  { keys: '.', does: "move the emulator's clock to what is due next", emulator: true },
  { keys: '?', does: 'these keys' },
  { keys: 'q  Ctrl-C', does: 'leave' },
  { keys: 'Ctrl-Z', does: 'to the shell; fg comes back' },
];
