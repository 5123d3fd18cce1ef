import { type ReactElement, useEffect, useRef, useState } from 'react';
import type { DeliveryResource, EventResource } from '../../../schema/event.ts';
import { Dialog } from '../parts/dialog.tsx';
import { readAll, withinRate } from '../read-all.ts';
import { refresh } from '../reading.ts';
import { askApi, useScope } from '../scope.ts';
import { sentencesOf } from '../send.ts';

/**
 * Without a selection, only this number of the newest failed events is redelivered, because the server allows ten redeliveries a minute.
 */
const EVENTS_MAX = 200;

interface Progress {
  total: number;
  done: number;
  accepted: number;
}

/** A form that redelivers the selected events, or the failed ones. @param input.path the path of the list of failed events. */
export function RedeliverMany(input: {
  path: string;
  chosen: readonly EventResource[];
  onDone: () => void;
}): ReactElement {
  const { path, chosen, onDone } = input;
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" className="btn" onClick={() => setOpen(true)}>
        {chosen.length === 0 ? 'Send failed again…' : `Send ${chosen.length} again…`}
      </button>
      {isOpen ? (
        <RedeliverDialog
          path={path}
          chosen={chosen}
          onClose={(isDone) => {
            setOpen(false);
            if (isDone) onDone();
          }}
        />
      ) : null}
    </>
  );
}

function RedeliverDialog(input: {
  path: string;
  chosen: readonly EventResource[];
  onClose: (isDone: boolean) => void;
}): ReactElement {
  const { path, chosen, onClose } = input;
  const scope = useScope();
  const [events, setEvents] = useState<readonly EventResource[] | null>(chosen.length > 0 ? chosen : null);
  const [progress, setProgress] = useState<Progress | null>(null);
  const [problem, setProblem] = useState('');
  const aborter = useRef(new AbortController());
  const isDone = progress !== null && progress.done === progress.total;

  useEffect(() => {
    const reading = new AbortController();
    const { signal } = reading;
    aborter.current = reading;
    if (chosen.length === 0) {
      const failed: EventResource[] = [];
      readAll<EventResource>(path, signal, (rows) => {
        failed.push(...rows);
        return failed.length < EVENTS_MAX;
      }).then(
        () => setEvents(failed.slice(0, EVENTS_MAX)),
        (thrown) => signal.aborted || setProblem(sentencesOf(thrown).join(' ')),
      );
    }
    return () => reading.abort();
  }, [path, chosen.length]);

  async function redeliver(): Promise<void> {
    if (events === null || progress !== null) return;
    const { signal } = aborter.current;
    const now: Progress = { total: events.length, done: 0, accepted: 0 };
    setProgress({ ...now });
    try {
      // Redelivers the oldest first, in the order in which the receiver would have got them.
      for (const { id } of events.toReversed()) {
        if (signal.aborted) return;
        const call = `POST /events/${encodeURIComponent(id)}/redeliver`;
        const { status_code } = await withinRate(() => askApi<DeliveryResource>(scope, call, {}), signal);
        now.done += 1;
        if (status_code !== null && status_code < 300) now.accepted += 1;
        setProgress({ ...now });
      }
    } catch (thrown) {
      if (!signal.aborted) setProblem(sentencesOf(thrown).join(' '));
    } finally {
      void refresh();
    }
  }

  return (
    <Dialog
      title={chosen.length === 0 ? 'Send failed events again' : 'Send events again'}
      onClose={() => onClose(isDone)}
    >
      <div className="form">
        <div role="status" className="stack">
          <p>{wordsOf(events, progress)}</p>
          {progress === null ? null : (
            <progress aria-label="Sent again" max={progress.total} value={progress.done} />
          )}
        </div>
        <p className="bad-text" role="alert">
          {problem}
        </p>
        <p className="muted">At most ten a minute are sent. Closing this dialog stops.</p>
        <div className="actions">
          {progress === null && events !== null && events.length > 0 ? (
            <button type="button" className="btn lead" onClick={() => void redeliver()}>
              Send again
            </button>
          ) : null}
          <button type="button" onClick={() => onClose(isDone)}>
            {progress === null || isDone ? 'Close' : 'Stop'}
          </button>
        </div>
      </div>
    </Dialog>
  );
}

function wordsOf(events: readonly EventResource[] | null, progress: Progress | null): string {
  if (progress !== null) {
    return `Sent ${progress.done} of ${progress.total}. The receiver accepted ${progress.accepted}.`;
  }
  if (events === null) return 'Looking for failed events…';
  if (events.length === 0) return 'No delivery has failed.';
  const count = events.length === 1 ? '1 event' : `${events.length} events`;
  return `Sends ${count} again, the oldest first, to your current webhook address.`;
}
