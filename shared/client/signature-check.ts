/**
 * Returns true if one of the values is the hex HMAC-SHA256 of the content under one of the secrets. Compares every value with every secret,
 * in constant time (`docs/api.md#webhooks`).
 * @param secret the whole secret, with `whsec_`. @throws TypeError if the secret is missing.
 */
export async function matches(
  secret: string | readonly string[] | undefined,
  content: readonly (string | Uint8Array)[],
  values: readonly string[],
): Promise<boolean> {
  const bytes = concatenated(content);
  let matched = false;
  for (const each of secretsOf(secret)) {
    const expected = await hmacHex(each, bytes);
    for (const value of values) matched = equalText(expected, value) || matched;
  }
  return matched;
}

/**
 * Returns the secrets as a list. Throws if one is missing, because an unset environment variable must not become a key that anyone can
 * guess.
 */
function secretsOf(secret: string | readonly string[] | undefined): readonly string[] {
  const secrets = typeof secret === 'string' ? [secret] : secret;
  if (
    !Array.isArray(secrets) ||
    secrets.length === 0 ||
    secrets.some((each) => typeof each !== 'string' || each === '')
  ) {
    throw new TypeError(
      'The signing secret is missing: pass the text that starts with whsec_, and check that its environment variable is set.',
    );
  }
  return secrets;
}

async function hmacHex(secret: string, bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', new TextEncoder().encode(secret), algorithm, false, [
    'sign',
  ]);
  const signature = new Uint8Array(await crypto.subtle.sign('HMAC', key, bytes));
  return Array.from(signature, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Compares two texts in a time that does not depend on where they differ. */
function equalText(a: string, b: string): boolean {
  if (a.length !== b.length) return false;
  let difference = 0;
  for (let i = 0; i < a.length; i++) difference |= a.charCodeAt(i) ^ b.charCodeAt(i);
  return difference === 0;
}

function concatenated(parts: readonly (string | Uint8Array)[]): Uint8Array<ArrayBuffer> {
  const chunks = parts.map((part) => (typeof part === 'string' ? new TextEncoder().encode(part) : part));
  const bytes = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  return bytes;
}
