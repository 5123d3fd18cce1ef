/** The exit codes, with the error codes and HTTP statuses that map to each. If both map to an exit code, the error code decides. */
export const EXIT_CODES: readonly ExitRow[] = [
  { exit: 0, meaning: 'Done.', codes: [], statuses: [] },
  {
    exit: 1,
    meaning: 'Any other failure.',
    codes: [
      'unexpected',
      'file_error',
      'config_locked',
      'signature_not_valid',
      'port_in_use',
      'database_in_use',
      'database_unusable',
    ],
    statuses: [],
  },
  {
    exit: 2,
    meaning: 'The command line is wrong, or the request failed validation.',
    codes: ['usage', 'several_emulators', 'unknown_profile', 'untrusted_address', 'database_missing'],
    statuses: [400, 413, 422],
  },
  {
    exit: 3,
    meaning: 'The wait timed out, or a diagnosis is not conclusive yet.',
    codes: ['wait_ran_out'],
    statuses: [],
  },
  {
    exit: 4,
    meaning: 'The API key is missing, invalid, or not allowed to do this.',
    codes: ['no_api_key'],
    statuses: [401, 403],
  },
  { exit: 5, meaning: 'Not found.', codes: ['not_found'], statuses: [404] },
  { exit: 6, meaning: 'Too many requests. Wait for retry_after_s.', codes: [], statuses: [429] },
  {
    exit: 7,
    meaning: 'The plan or its billing does not allow this.',
    codes: ['plan_required', 'domain_limit_reached', 'billing_unavailable'],
    statuses: [402],
  },
  {
    exit: 8,
    meaning: 'The server is unreachable or cannot handle requests now.',
    codes: [
      'network_error',
      'not_the_api',
      'emulator_not_running',
      'service_unavailable',
      'database_unavailable',
    ],
    statuses: [],
  },
  {
    exit: 9,
    meaning:
      'A domain has failed, a diagnosis found an error to correct, or a comparison found a difference.',
    codes: ['domain_failed'],
    statuses: [],
  },
  { exit: 130, meaning: 'Interrupted.', codes: ['interrupted'], statuses: [] },
];

export interface ExitRow {
  exit: number;
  meaning: string;
  codes: readonly string[];
  statuses: readonly number[];
}

/** Returns the exit code for an error code and, if the API responded, its HTTP status. */
export function exitCodeFor(code: string, status?: number): number {
  const row =
    EXIT_CODES.find(({ codes }) => codes.includes(code)) ??
    EXIT_CODES.find(({ statuses }) => status !== undefined && statuses.includes(status));
  return row?.exit ?? 1;
}
