import { expect } from 'vitest';

/** The findings of a suite that the product keeps, each with its reason. */
export type Excuses = Readonly<Record<string, string>>;

/**
 * Prints the counts of a suite. Fails if a finding has no excuse, or if an excuse has no finding any more, so that no excuse outlives its
 * reason.
 * @param checked what the suite checked, such as `54 test cases`.
 * @param found names of its findings. One name can occur several times.
 */
export function conclude(suite: string, checked: string, found: readonly string[], excuses: Excuses): void {
  const findings = found.filter((name) => !Object.hasOwn(excuses, name));
  const withoutFinding = Object.keys(excuses).filter((name) => !found.includes(name));
  const excused = found.length - findings.length;
  console.log(`${suite}: ${checked}, findings: ${findings.length}, excused: ${excused}`);
  expect(findings, 'findings without an excuse').toEqual([]);
  expect(withoutFinding, 'excuses without a finding').toEqual([]);
}
