/** How long the next one waits where the one before it neither answers nor fails. */
const SLOW_MS = 500;

/**
 * Asks in order, the next as soon as one fails or is slow, and takes the first result that is good.
 * @returns the last result where none is good; null where there was nobody to ask.
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
