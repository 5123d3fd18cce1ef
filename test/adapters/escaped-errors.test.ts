import { expect, test, vi } from 'vitest';
import { handleEscapedErrors } from '../../shared/adapters/escaped-errors.ts';

test.each(['stdout', 'stderr'] as const)('a terminal that is gone leads to no log line on %s', (name) => {
  const log = { info: vi.fn(), warn: vi.fn(), error: vi.fn() };
  const onFatal = vi.fn();
  const restore = handleEscapedErrors({ log, onFatal });
  try {
    const gone = Object.assign(new Error('write EIO'), { code: 'EIO', syscall: 'write' });
    process[name].emit('error', gone);
  } finally {
    restore();
  }
  expect(onFatal).not.toHaveBeenCalled();
  expect(log.error).not.toHaveBeenCalled();
});
