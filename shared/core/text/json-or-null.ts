/** Parses JSON that may come from anyone. @returns null if it is no JSON. A schema of the caller then refuses null. */
export function jsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null; // The caller's schema refuses null.
  }
}
