import { setImmediate } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { handleEscapedErrors } from '../../shared/adapters/escaped-errors.ts';

test.each(['stdout', 'stderr'] as const)(
  'a write to %s of a terminal that is gone leaves no log line',
  async (name) => {
    const log = { info: vi.fn(), warn: vi.fn(), error: vi.fn() };
    const onFatal = vi.fn();
    const throwAgain = (error: Error) => {
      throw error;
    };
    process[name].on('error', throwAgain);
    const restore = handleEscapedErrors({ log, onFatal });
    try {
      const gone = Object.assign(new Error('write EIO'), { code: 'EIO', syscall: 'write' });
      process.nextTick(() => process[name].emit('error', gone));
      await setImmediate();
    } finally {
      restore();
      process[name].off('error', throwAgain);
    }
    expect(onFatal).not.toHaveBeenCalled();
    expect(log.error).not.toHaveBeenCalled();
  },
);
