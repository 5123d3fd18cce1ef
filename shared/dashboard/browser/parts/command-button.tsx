import { type ButtonHTMLAttributes, type ReactElement, useState } from 'react';
import { notify, notifyError } from '../notices.tsx';
import { refresh } from '../reading.ts';

/**
 * Runs commands one at a time, and shows their result.
 * @returns whether a command is running, and a function that runs a command. A command returns the message to show.
 */
export function useCommand(): [busy: boolean, run: (work: () => Promise<string>) => Promise<void>] {
  const [busy, setBusy] = useState(false);
  async function run(work: () => Promise<string>): Promise<void> {
    if (busy) return;
    setBusy(true);
    await report(work);
    setBusy(false);
  }
  return [busy, run];
}

/** Runs a command and shows the message that it returns, or its error. @returns whether the command succeeded. */
export async function report(work: () => Promise<string>): Promise<boolean> {
  try {
    notify(await work());
    return true;
  } catch (thrown) {
    notifyError(thrown);
    return false;
  } finally {
    void refresh();
  }
}

type Attributes = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'onClick' | 'type'>;

/** A button that runs a command. It keeps the focus while the command runs. */
export function CommandButton({ work, ...rest }: Attributes & { work: () => Promise<string> }): ReactElement {
  const [busy, run] = useCommand();
  return <button type="button" aria-disabled={busy || undefined} onClick={() => void run(work)} {...rest} />;
}
