import { type ButtonHTMLAttributes, type ReactElement, useState } from 'react';
import { notify, notifyError } from '../notices.tsx';
import { refresh } from '../revision.ts';

/**
 * Runs commands one at a time, and shows their result.
 * @returns whether a command is running, and a function that runs one. The command returns the message to show.
 */
export function useCommand(): [busy: boolean, run: (work: () => Promise<string>) => Promise<void>] {
  const [busy, setBusy] = useState(false);
  async function run(work: () => Promise<string>): Promise<void> {
    if (busy) return;
    setBusy(true);
    try {
      notify(await work());
    } catch (thrown) {
      notifyError(thrown);
    } finally {
      setBusy(false);
      refresh();
    }
  }
  return [busy, run];
}

type Attributes = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'onClick' | 'type'>;

/** A button that runs a command. It keeps the focus while the command runs. */
export function CommandButton({ work, ...rest }: Attributes & { work: () => Promise<string> }): ReactElement {
  const [busy, run] = useCommand();
  return <button type="button" aria-disabled={busy || undefined} onClick={() => void run(work)} {...rest} />;
}
