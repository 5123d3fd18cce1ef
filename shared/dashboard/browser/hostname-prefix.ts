/** Returns the beginning of a hostname, as the API accepts it, from what a person has typed. */
export function hostnamePrefix(typed: string): string {
  return asciiName(typed.trim())
    .toLowerCase()
    .replace(/[^a-z0-9.-]/g, '');
}

/** Returns a name with other letters, such as `müller.de`, in Punycode. Returns any other text unchanged. */
function asciiName(text: string): string {
  // Only such names go through `URL`, because it reads numbers as IPv4 addresses.
  if (!/\P{ASCII}/u.test(text)) return text;
  try {
    return new URL(`http://${text}`).hostname;
  } catch {
    return text;
  }
}
