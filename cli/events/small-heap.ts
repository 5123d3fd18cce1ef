/**
 * Keeps V8's space for new objects at its current size of a few megabytes. By default it grows to over 100 MB while a command follows events,
 * although nearly all of its new objects are responses and lines that soon become garbage (`decisions/0048`). V8 reads this flag each time
 * before the space grows, so the flag takes effect in a running process.
 */
export function keepHeapSmall(): void {
  process.getBuiltinModule('node:v8').setFlagsFromString('--semi-space-growth-factor=1');
}
