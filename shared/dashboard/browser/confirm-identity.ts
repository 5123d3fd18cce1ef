import type { RequestError } from './send.ts';
import { createSharedValue, useSharedValue } from './shared-value.ts';

/** A call that waits until the person has signed in again. */
export interface WaitingAct {
  confirmed(): void;
  cancel(): void;
}

const waiting = createSharedValue<WaitingAct | null>(null);
let confirmation: Promise<void> | null = null;

/**
 * Opens the dialog that asks the person to sign in again. Simultaneous calls share one dialog.
 * @throws the server's refusal if the person cancels the dialog.
 */
export function confirmIdentity(refusal: RequestError): Promise<void> {
  confirmation ??= new Promise<void>((resolve, reject) => {
    waiting.set({ confirmed: resolve, cancel: () => reject(refusal) });
  }).finally(() => {
    confirmation = null;
    waiting.set(null);
  });
  return confirmation;
}

export function useWaitingAct(): WaitingAct | null {
  return useSharedValue(waiting);
}
