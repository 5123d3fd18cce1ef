import type { RequestError } from './send.ts';
import { createSharedValue, useSharedValue } from './shared-value.ts';

/** An act that waits until the person has signed in again. */
export interface WaitingAct {
  confirmed(): void;
  cancel(): void;
}

const waiting = createSharedValue<WaitingAct | null>(null);
let confirmation: Promise<void> | null = null;

/** Opens the dialog that asks for a new sign-in. Acts that need one at the same time share the dialog. @throws the refusal if it is cancelled. */
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
