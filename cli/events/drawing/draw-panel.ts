import type { DomainResource } from '../../../shared/schema/domain.ts';
import { diagnosisLines } from '../../output/diagnosis-view.ts';
import { challengeLines, domainLines, recordLines } from '../../output/domain-view.ts';
import type { Formatting } from '../../output/output.ts';
import { plainText } from '../../output/plain-text.ts';
import { wrapText } from '../../output/wrap-text.ts';
import type { Line } from '../../terminal/line.ts';
import type { DiagnosisContent, Panel, ViewState } from '../view/view-state.ts';
import { detailLines } from './draw-detail.ts';
import { brokenLine, brokenText } from './fit-text.ts';
import { KEY_HELP } from './key-help.ts';
import { linesOf } from './painted-lines.ts';

const KEYS_WIDTH = 14;
const MEANING_WIDTH_MIN = 12;

/** Returns all lines of the panel that covers the list. Returns none if no panel does. */
export function panelLines(state: ViewState): Line[] {
  const {
    panel,
    size: { columns },
  } = state;
  switch (panel.open) {
    case 'detail':
      return eventPage(panel, columns);
    case 'domain':
      return domainPage(panel.domain, panel.diagnosis, columns);
    case 'text':
      return panel.text.split('\n').flatMap((line) => textLines(line, columns));
    case 'help':
      return helpLines(state);
    default:
      return [];
  }
}

function eventPage({ content }: Panel & { open: 'detail' }, columns: number): Line[] {
  if (content.state === 'loading') return [[{ text: 'Loading the event …', style: 'dim' }]];
  if (content.state === 'loaded') return detailLines(content, columns);
  return brokenText(plainText(content.problem), columns).map((text) => [{ text, style: 'red' }]);
}

/** Draws a domain as `domains get` and `domains diagnose` print it. A diagnosis comes first, because the user has asked for it. */
function domainPage(domain: DomainResource, diagnosis: DiagnosisContent, columns: number): Line[] {
  const lines = linesOf(columns, (output) => {
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
  return lines.flatMap((line) => brokenLine(line, columns));
}

function diagnosisWords(diagnosis: DiagnosisContent, output: Formatting): string[] {
  switch (diagnosis.state) {
    case 'none':
      return [output.paint('dim', 'Press d to look up everything in the DNS that the domain depends on.')];
    case 'loading':
      return [output.paint('yellow', 'Looking up the DNS, for at most 20 seconds …')];
    case 'failed':
      return [output.paint('red', diagnosis.problem)];
    case 'loaded':
      return diagnosisLines(
        diagnosis.diagnosis,
        { unknown: null, allLookups: false, fromHere: false, connectUrl: null },
        output,
      );
  }
}

function textLines(line: string, columns: number): Line[] {
  return brokenText(plainText(line), columns).map((text) => [{ text }]);
}

function helpLines({ screen, hasEmulator, size: { columns } }: ViewState): Line[] {
  return KEY_HELP[screen]
    .filter(({ emulator }) => hasEmulator || !emulator)
    .flatMap(({ keys, does }) =>
      wrapText(does, Math.max(MEANING_WIDTH_MIN, columns - KEYS_WIDTH)).map(
        (text, index): Line => [
          { text: (index === 0 ? `  ${keys}` : '').padEnd(KEYS_WIDTH), style: 'bold' },
          { text },
        ],
      ),
    );
}
