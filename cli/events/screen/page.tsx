import { useMemo } from 'react';
import type { DomainResource } from '../../../shared/schema/domain.ts';
import { diagnosisLines } from '../../output/diagnosis-view.ts';
import { challengeLines, domainLines, recordLines } from '../../output/domain-view.ts';
import { DELIVERY_STATES } from '../../output/marks.ts';
import type { Formatting } from '../../output/output.ts';
import { plainText } from '../../output/plain-text.ts';
import { keyHelpLines } from '../../screen/key-bindings.ts';
import { LinesPane } from '../../screen/list-pane.tsx';
import { pageLines, paint, paintOutcome } from '../../screen/page-lines.ts';
import { CHANGES } from '../event-words.ts';
import { selectedDomain } from '../view/domain-list.ts';
import { blockerOf, selectedEvent } from '../view/event-rows.ts';
import { HELP } from '../view/keys/panel-keys.ts';
import { type DiagnosisContent, domainPanel, type Panel, type ViewState } from '../view/view-state.ts';
import { bodyLines, eventPageLines } from './event-page.ts';
import type { BodyProps } from './event-view.tsx';

interface PageProps extends BodyProps {
  /** The open page; null shows the page of the selected row. */
  page: Panel | null;
  /** True if the page is drawn beside the list. */
  isBeside: boolean;
}

/** Draws a page with the lines of an event, a domain, the help or a text. */
export function ScreenPage({ state, size, dispatch, page, isBeside }: PageProps) {
  const { scroll } = state;
  const shown = page ?? selectedPage(state);
  const columns = (isBeside ? size.pageWidth : size.columns) - (size.hasBorder ? 4 : 1);
  const { title, lines } = useContent(state, shown, Math.max(10, columns));
  return (
    <LinesPane
      title={title}
      lines={lines}
      position={page === null ? { ...scroll, top: 0 } : scroll}
      hasMore={page !== null}
      dispatch={dispatch}
      hasBorder={size.hasBorder}
      isFocused={page !== null}
      {...(isBeside && { width: size.pageWidth })}
    />
  );
}

/** Returns the page of the selected row. */
function selectedPage({ screen, rows, domains }: ViewState): Panel | null {
  if (screen === 'events') {
    const event = selectedEvent(rows);
    return event && { open: 'detail', event };
  }
  const domain = selectedDomain(domains);
  return domain && domainPanel(domain);
}

function useContent(
  state: ViewState,
  page: Panel | null,
  columns: number,
): { title: string; lines: readonly string[] } {
  const { detail, time, rows, isBodyFolded, screen, hasEmulator } = state;
  const read = page?.open === 'detail' && detail?.id === page.event.id ? detail.content : null;
  const body = read?.state === 'loaded' && !isBodyFolded ? read.detail.body : null;
  // Cache the lines of the body: a body is long and never changes, but the ages above it change every second.
  const drawnBody = useMemo(() => (body === null ? [] : bodyLines(body, columns)), [body, columns]);
  const now = page?.open === 'detail' ? time.now : '';
  const content = useMemo((): { title: string; lines: string[] } => {
    switch (page?.open) {
      case 'detail': {
        const options = { columns, now, blocker: blockerOf(rows, page.event), isBodyFolded };
        return { title: plainText(page.event.type), lines: eventPageLines(page.event, read, options) };
      }
      case 'domain':
        return {
          title: plainText(page.domain.hostname),
          lines: domainPageLines(page.domain, page.diagnosis, columns),
        };
      case 'text':
        return { title: page.title, lines: pageLines(columns, () => page.text.split('\n').map(plainText)) };
      case 'help': {
        const keys = HELP[screen].filter(({ isEmulators }) => hasEmulator || !isEmulators);
        return { title: 'Keys', lines: [...keyHelpLines(keys, columns), ...legendLines(columns)] };
      }
      default:
        return { title: '', lines: [] };
    }
  }, [page, read, columns, now, rows, isBodyFolded, screen, hasEmulator]);
  return useMemo(() => ({ ...content, lines: [...content.lines, ...drawnBody] }), [content, drawnBody]);
}

/** Returns lines that explain the delivery marks. A line break never separates a mark from its words. */
function legendLines(columns: number): string[] {
  const legends = [
    Object.values(DELIVERY_STATES).map(({ mark, words }) => `${mark} ${words}`),
    Object.values(CHANGES).map(({ symbol, words }) => `${symbol} ${words}`),
  ];
  const lines = pageLines(columns, ({ prose }) => [
    '',
    paint('bold', 'Marks'),
    ...legends.flatMap((legend) => prose(legend.map((each) => each.replaceAll(' ', '\u00a0')).join('   '))),
    ...prose(
      'An event of a domain waits until the one before it was delivered, so that they arrive in order.',
    ),
  ]);
  return lines.map((line) => line.replaceAll('\u00a0', ' '));
}

/**
 * Returns the lines of a domain's page, as `domains get` and `domains diagnose` print them. If the user has requested a diagnosis, it comes
 * first.
 */
function domainPageLines(domain: DomainResource, diagnosis: DiagnosisContent, columns: number): string[] {
  return pageLines(columns, (output) => {
    const words = [output.paint('bold', 'Diagnosis'), ...diagnosisWords(diagnosis, output)];
    const facts = [
      ...domainLines(domain, output),
      '',
      output.paint('bold', 'Records'),
      ...recordLines(domain, output),
      ...challengeLines(domain, output),
    ];
    return diagnosis.state === 'none' ? [...facts, '', ...words] : [...words, '', ...facts];
  });
}

function diagnosisWords(diagnosis: DiagnosisContent, output: Formatting): string[] {
  switch (diagnosis.state) {
    case 'none':
      return output
        .prose('Press d to look up everything in the DNS that the domain depends on.')
        .map((line) => output.paint('dim', line));
    case 'loading':
      return [output.paint('yellow', '… Looking up the DNS, for at most 20 seconds …')];
    case 'failed':
      return [paintOutcome(false, diagnosis.problem)];
    case 'loaded':
      return diagnosisLines(
        diagnosis.diagnosis,
        { unknown: null, allLookups: false, fromHere: false, connectUrl: null },
        output,
      );
  }
}
