import { type FieldProblem, ServiceError, validationFailed } from '../../shared/core/errors.ts';

/**
 * Applies one entry of a seed. Prefixes the fields of a validation error with the entry's path. @throws ServiceError `validation_failed`
 */
export async function at<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code === 'internal_error') throw error;
    const fields = error.status_detail?.['fields'] as FieldProblem[] | undefined;
    const named = fields ?? [{ path: '', message: `${error.message} ${error.fix}` }];
    throw validationFailed(
      ...named.map((each) => ({
        path: each.path === '' || each.path.startsWith(path) ? each.path || path : `${path}.${each.path}`,
        message: each.message,
      })),
    );
  }
}

/** The problems of a seed file, one line each: `seed.yaml:12: domains[1].status: …`. */
export class SeedError extends Error {
  readonly code: 'seed_invalid' | 'seed_unreadable';

  constructor(
    lines: readonly string[],
    { code = 'seed_invalid', cause }: { code?: SeedError['code']; cause?: unknown } = {},
  ) {
    super(lines.join('\n'), { cause });
    this.name = 'SeedError';
    this.code = code;
  }
}
