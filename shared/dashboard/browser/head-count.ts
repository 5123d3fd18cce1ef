import { useEffect } from 'react';
import { createSharedValue, useSharedValue } from './shared-value.ts';

/** The number of entries of the list that the page shows; null if it shows no list, or the number is not known. */
const total = createSharedValue<number | null>(null);

export function useHeadCount(): number | null {
  return useSharedValue(total);
}

/** Shows a number beside the title in the bar while the calling view is on the page. */
export function useShownCount(count: number | null): void {
  useEffect(() => {
    total.set(count);
    return () => total.set(null);
  }, [count]);
}
