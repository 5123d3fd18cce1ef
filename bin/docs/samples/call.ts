/** An example request of the API reference. Each page shows the request in several programming languages. */
export interface SampleCall {
  method: string;
  /** The path with example values, such as `/v1/domains/dom_…`. */
  path: string;
  /** The query string with its `?`, or an empty string. */
  query: string;
  body: Readonly<Record<string, unknown>> | null;
  /** How the sample reads the response: as a JSON document, not at all, or line by line until the stream ends. */
  response: 'document' | 'empty' | 'stream';
}

/** Returns the URL of a request. The server replaces `{base_url}` when it serves the page. */
export function addressOf({ path, query }: SampleCall): string {
  return `{base_url}${path}${query}`;
}

/** Returns JSON on one line, with spaces after commas and colons. */
export function spacedJson(value: unknown): string {
  return JSON.stringify(value, null, 1)
    .replace(/\n\s*/g, ' ')
    .replace(/([[{]) | ([\]}])/g, '$1$2');
}

/** Returns the source text of a JSON value in a programming language. */
export function literal(value: unknown, { open, pair, close, quote, none }: LiteralStyle): string {
  if (value === null) return none;
  if (typeof value !== 'object') return typeof value === 'string' ? quote(value) : String(value);
  const entries = Object.entries(value).map(
    ([key, each]) => `${quote(key)}${pair}${literal(each, { open, pair, close, quote, none })}`,
  );
  return `${open}${entries.join(', ')}${close}`;
}

interface LiteralStyle {
  open: string;
  /** The text between a key and its value, such as `: `. */
  pair: string;
  close: string;
  quote: (text: string) => string;
  none: string;
}
