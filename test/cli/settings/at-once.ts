/** Does all of it, so many at a time. @returns their results in order. */
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
