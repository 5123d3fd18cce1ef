/** Error of an operator command, with a code, a message and a fix. */
export class CommandError extends Error {
  readonly code: CommandErrorCode;
  /** One sentence that tells the operator what to do. */
  readonly fix: string;

  constructor(code: CommandErrorCode, message: string, fix: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'CommandError';
    this.code = code;
    this.fix = fix;
  }
}

export type CommandErrorCode =
  | 'usage'
  | 'not_found'
  | 'port_in_use'
  | 'process_failed'
  | 'nginx_missing'
  | 'edge_folder_unusable'
  | 'access_log_unwritable'
  | 'database_locked'
  | 'database_missing'
  | 'database_unavailable'
  | 'database_not_migrated'
  | 'database_too_new'
  | 'database_of_preview'
  | 'database_too_old'
  | 'database_without_timeout'
  | 'encryption_keys_unusable';
