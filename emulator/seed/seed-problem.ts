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
