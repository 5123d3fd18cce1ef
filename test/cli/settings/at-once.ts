/** Runs the work for each item, with a limited number at a time. @returns the results in the order of the items. */
export async function atOnce<T, R>(
  count: number,
  all: readonly T[],
  act: (one: T) => Promise<R>,
): Promise<R[]> {
  const left = all.entries();
  const results: R[] = [];
  const lane = async () => {
    for (const [index, one] of left) results[index] = await act(one);
  };
  await Promise.all(Array.from({ length: count }, lane));
  return results;
}
