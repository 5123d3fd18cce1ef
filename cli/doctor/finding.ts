/** The result of one check of `doctor`. */
export interface DoctorFinding {
  check: string;
  result: 'ok' | 'warning' | 'problem';
  found: string;
  /** How to fix a warning or a problem. */
  fix?: string;
  /** The exit code for a problem. */
  exit?: number;
}

export function ok(check: string, found: string): DoctorFinding {
  return { check, result: 'ok', found };
}

export function warning(check: string, found: string, fix: string): DoctorFinding {
  return { check, result: 'warning', found, fix };
}

export function problem(check: string, found: string, fix: string, exit: number): DoctorFinding {
  return { check, result: 'problem', found, fix, exit };
}
