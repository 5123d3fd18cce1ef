import type { ReactElement } from 'react';
import { ask } from '../ask.ts';
import { DialogForm } from './dialog-form.tsx';

/** Everything back to the start, once that is confirmed. */
export function ResetButton(): ReactElement {
  return (
    <DialogForm word="Reset" title="Reset everything?" submit="Reset" danger work={reset}>
      <p>
        All domains, events, requests and mail are deleted. What is left is a fresh account with the same
        keys, and what the seed makes, where there is one.
      </p>
    </DialogForm>
  );
}

async function reset(): Promise<string> {
  await ask('POST /reset', {});
  return 'Everything is as at the start.';
}
