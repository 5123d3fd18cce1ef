import {
  type ButtonHTMLAttributes,
  type FormEvent,
  type ReactElement,
  type ReactNode,
  useId,
  useState,
} from 'react';
import { sentencesOf } from '../ask.ts';
import { refresh } from '../live.ts';
import { say } from '../notices.tsx';
import { Dialog } from '../parts/dialog.tsx';

interface DialogFormOptions {
  /** On the button that opens it. */
  word: ReactNode;
  /** Further attributes of that button. */
  opener?: Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'onClick' | 'type'>;
  title: string;
  /** On the button that does it. */
  submit: string;
  /** What it does cannot be undone. */
  danger?: boolean;
  /** @returns what to say of it. */
  work: () => Promise<string>;
  onClose?: () => void;
  children: ReactNode;
}

/** A button that asks for what it needs in a dialog, which stays open with what is wrong until it is done. */
export function DialogForm(options: DialogFormOptions): ReactElement {
  const { word, opener, title, submit, danger, work, onClose, children } = options;
  const [open, setOpen] = useState(false);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string[]>([]);
  const id = useId();

  function close(): void {
    setProblem([]);
    setOpen(false);
    onClose?.();
  }

  async function act(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    try {
      const done = await work();
      close();
      say(done);
      refresh();
    } catch (thrown) {
      setProblem(sentencesOf(thrown));
    } finally {
      setBusy(false);
    }
  }

  return (
    <>
      <button type="button" onClick={() => setOpen(true)} {...opener}>
        {word}…
      </button>
      {open ? (
        <Dialog title={title} onClose={close}>
          <form className="form" aria-describedby={id} onSubmit={(event) => void act(event)}>
            {children}
            <p className="bad-text lines" id={id} role="alert">
              {problem.join('\n')}
            </p>
            <div className="actions">
              <button
                type="submit"
                className={danger ? 'danger' : 'primary'}
                aria-disabled={busy || undefined}
              >
                {submit}
              </button>
              <button type="button" onClick={close}>
                Cancel
              </button>
            </div>
          </form>
        </Dialog>
      ) : null}
    </>
  );
}
