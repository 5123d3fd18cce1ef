import { expect } from 'vitest';

/** The findings of an external test suite that are accepted, each with the reason. */
export type Excuses = Readonly<Record<string, string>>;

/**
 * Prints the counts of a suite. Fails if a finding has no excuse, or if an excuse has no finding, so that no excuse stays longer than
 * needed.
 * @param checked a text for what the suite checked, such as `54 test cases`.
 * @param found the names of the suite's findings. A name can occur several times.
 */
export function conclude(suite: string, checked: string, found: readonly string[], excuses: Excuses): void {
  const findings = found.filter((name) => !Object.hasOwn(excuses, name));
  const withoutFinding = Object.keys(excuses).filter((name) => !found.includes(name));
  const excused = found.length - findings.length;
  console.log(`${suite}: ${checked}, findings: ${findings.length}, excused: ${excused}`);
  expect(findings, 'findings without an excuse').toEqual([]);
  expect(withoutFinding, 'excuses without a finding').toEqual([]);
}
