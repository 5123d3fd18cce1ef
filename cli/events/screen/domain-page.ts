import type { DomainResource } from '../../../shared/schema/domain.ts';
import { diagnosisLines } from '../../output/diagnosis-view.ts';
import { challengeLines, domainLines, recordLines } from '../../output/domain-view.ts';
import type { Formatting } from '../../output/output.ts';
import { pageLines } from '../../screen/page-lines.ts';
import type { DiagnosisContent } from '../view/view-state.ts';

/** Returns a domain as `domains get` and `domains diagnose` print it. A diagnosis comes first, because the user has asked for it. */
export function domainPageLines(
  domain: DomainResource,
  diagnosis: DiagnosisContent,
  columns: number,
): string[] {
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
