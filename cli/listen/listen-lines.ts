import { counted, durationWords } from '../events/event-words.ts';
import { BAD_MARK, GOOD_MARK, marked } from '../output/marks.ts';
import type { Output, Style } from '../output/output.ts';
import { jsonLine, plainText } from '../output/plain-text.ts';
import { textWidth } from '../output/table.ts';
import type { CliSettings } from '../settings/settings.ts';
import type { Forwarded } from './lanes.ts';

/** Formats an attempt to forward an event, as text or as one NDJSON document. */
export function forwardedLine({ event, attempt, response, outcome }: Forwarded, output: Output): string {
  const { status_code, error, response_ms } = response;
  if (output.json) {
    const { id, type, hostname } = event;
    return jsonLine({
      forwarded: { event_id: id, type, hostname, attempt, outcome, status_code, error, response_ms },
    });
  }
  const { paint, width } = output;
  const answer = `${status_code ?? error} in ${durationOf(response_ms)}`;
  const look = outcome === 'accepted' ? GOOD_MARK : BAD_MARK;
  const type = plainText(event.type);
  const again = attempt > 1 ? `attempt ${attempt}` : '';
  const hint = HINTS[outcome];
  const parts: [text: string, style: Style | null][] = [
    [new Date().toISOString().slice(11, 19), 'dim'],
    [type.padEnd(TYPE_WIDTH), null],
    [plainText(event.hostname), null],
    [marked(look, answer, output), look.style],
    [[plainText(event.id), again].filter(Boolean).join(' '), 'dim'],
    [hint, null],
  ];
  const widthOf = () =>
    parts
      .filter(([text]) => text !== '')
      .reduce((sum, [text]) => sum + textWidth(text) + GAP.length, -GAP.length);
  // If the line is too long for the terminal, shorten the event type, then leave out the id. The dashboard and `events list` show the id.
  if (widthOf() > width) parts[1] = [type.replace(/^domain\./, '').padEnd(SHORT_TYPE_WIDTH), null];
  if (widthOf() > width) parts[4] = [again, 'dim'];
  return parts
    .filter(([text]) => text !== '')
    .map(([text, style]) => (style === null ? text : paint(style, text)))
    .join(GAP);
}

export interface ListenSession {
  secret: string;
  target: URL;
  settings: Pick<CliSettings, 'baseUrl' | 'mode'>;
  /** True if stdin is a terminal, in which case the keys r, s and q work. */
  hasKeys: boolean;
}

export function secretLine(secret: string, { paint }: Output): string {
  return `Signing secret for this session: ${paint('bold', secret)}`;
}

export function listeningLine({ target, settings, hasKeys }: ListenSession): string {
  const keys = hasKeys ? ' Keys: r repeat failed events, s skip them, q quit.' : '';
  return `Forwarding events from ${settings.baseUrl} (${settings.mode} mode) to ${target.href}.${keys}`;
}

/** Formats the first document of the NDJSON output, which describes the session. */
export function listeningJson({ secret, target, settings: { baseUrl, mode } }: ListenSession): string {
  return jsonLine({
    listening: { signing_secret: secret, base_url: baseUrl, mode, forward_to: target.href },
  });
}

export function summaryLine(counts: { accepted: number; refused: number }, waiting: number): string {
  const rest = waiting === 0 ? '' : `; ${counted(waiting, 'event')} not forwarded`;
  return `Forwarded ${counted(counts.accepted, 'event')}, ${counts.refused} refused${rest}.`;
}

const GAP = '  ';
const TYPE_WIDTH = 'domain.certificate_renewed'.length;
const SHORT_TYPE_WIDTH = 'certificate_renewed'.length;

const HINTS: Readonly<Record<Forwarded['outcome'], string>> = {
  accepted: '',
  held: 'r repeat, s skip; later events of this domain wait',
  repeating: 'nothing is listening; retrying',
  passed_over: 'skipped',
};

function durationOf(durationMs: number): string {
  return durationMs < 1000 ? `${durationMs} ms` : durationWords(durationMs);
}
