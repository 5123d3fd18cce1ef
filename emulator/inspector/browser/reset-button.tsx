import { type ReactElement, useState } from 'react';
import { ask } from './ask.ts';
import { useDeed } from './deed.tsx';
import { Dialog } from './dialog.tsx';

/** Everything back to the start, once that is confirmed. */
export function ResetButton(): ReactElement {
  const [asking, setAsking] = useState(false);
  const [busy, run] = useDeed();
  const reset = () =>
    void run(async () => {
      await ask('POST /reset', {});
      setAsking(false);
      return 'Everything is as at the start.';
    });
  return (
    <>
      <button type="button" onClick={() => setAsking(true)}>
        Reset…
      </button>
      {asking ? (
        <Dialog title="Reset everything?" onClose={() => setAsking(false)}>
          <div className="form">
            <p>
              All domains, events, requests and mail are deleted. What is left is a fresh account with the
              same keys, and what the seed makes, where there is one.
            </p>
            <div className="actions">
              <button type="button" className="danger" aria-disabled={busy || undefined} onClick={reset}>
                Reset
              </button>
              <button type="button" onClick={() => setAsking(false)}>
                Keep it
              </button>
            </div>
          </div>
        </Dialog>
      ) : null}
    </>
  );
}
