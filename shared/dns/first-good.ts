/** How long to wait for a candidate before the next candidate is tried too. */
const SLOW_MS = 500;

/**
 * Tries candidates in order, and starts the next when one fails or is slow. Returns the first good result.
 * @returns the last result if none is good; null if there are no candidates.
 */
export function firstGood<Candidate, Result>(
  candidates: readonly Candidate[],
  ask: (candidate: Candidate) => Promise<Result>,
  isGood: (result: Result) => boolean,
): Promise<Result | null> {
  return new Promise((resolve, reject) => {
    const waiting = [...candidates];
    let open = 0;
    let last: Result | null = null;
    let timer: NodeJS.Timeout | undefined;
    const end = () => {
      waiting.length = 0;
      clearTimeout(timer);
    };
    const advance = () => {
      clearTimeout(timer);
      const candidate = waiting.shift();
      if (candidate === undefined) {
        if (open === 0) resolve(last);
        return;
      }
      open += 1;
      if (waiting.length > 0) timer = setTimeout(advance, SLOW_MS);
      ask(candidate).then(
        (result) => {
          open -= 1;
          last = result;
          if (!isGood(result)) return advance();
          end();
          resolve(result);
        },
        (error: unknown) => {
          end();
          reject(error);
        },
      );
    };
    advance();
  });
}
