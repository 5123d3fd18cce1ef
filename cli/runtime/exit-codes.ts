/** The exit codes as data: the error codes and HTTP statuses that lead to each. An error code wins over a status. */
export const EXIT_CODES: readonly ExitRow[] = [
  { exit: 0, meaning: 'Done.', codes: [], statuses: [] },
  {
    exit: 1,
    meaning: 'Something else failed.',
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
    meaning: 'The wait ran out, or a diagnosis could not tell: time will.',
    codes: ['wait_ran_out'],
    statuses: [],
  },
  {
    exit: 4,
    meaning: 'The API key is missing or invalid, or may not do that.',
    codes: ['no_api_key'],
    statuses: [401, 403],
  },
  { exit: 5, meaning: 'Not found.', codes: ['not_found'], statuses: [404] },
  { exit: 6, meaning: 'Too many requests: wait as long as retry_after_s says.', codes: [], statuses: [429] },
  {
    exit: 7,
    meaning: 'The plan or the billing does not allow it.',
    codes: ['plan_required', 'domain_limit_reached', 'billing_unavailable'],
    statuses: [402],
  },
  {
    exit: 8,
    meaning: 'The server cannot be reached, or cannot take requests now.',
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
    meaning: 'A domain is in a failed state, or a diagnosis found what has to be corrected.',
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

/** The exit code for an error code and, when the API answered, its HTTP status. */
export function exitCodeFor(code: string, status?: number): number {
  const row =
    EXIT_CODES.find(({ codes }) => codes.includes(code)) ??
    EXIT_CODES.find(({ statuses }) => status !== undefined && statuses.includes(status));
  return row?.exit ?? 1;
}
