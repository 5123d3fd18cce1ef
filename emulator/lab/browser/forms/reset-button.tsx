import type { ReactElement } from 'react';
import { DialogForm } from '../../../../shared/dashboard/browser/parts/dialog-form.tsx';
import { askEmulator } from '../ask.ts';

/** Resets the emulator after a confirmation. */
export function ResetButton(): ReactElement {
  return (
    <DialogForm word="Reset" title="Reset everything?" submit="Reset" danger work={reset}>
      <p>
        This deletes all domains, events, requests and mail. You get a fresh account with the same keys. If
        the emulator was started with a seed, the seed is applied again.
      </p>
    </DialogForm>
  );
}

async function reset(): Promise<string> {
  await askEmulator('POST /reset', {});
  return 'Emulator reset.';
}
