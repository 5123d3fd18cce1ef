import { isUtf8 } from 'node:buffer';
import type { AskedHost, HostResponse } from './ask-host.ts';

/** One difference between the old host's response and the edge's. `old` or `edge` is null if that response lacks this part. */
export interface ResponseDifference {
  part: 'connection' | 'status' | 'header' | 'body';
  /** The header's name, or the line of a text body, such as `line 12`. Null for a connection, a status or a binary body. */
  name: string | null;
  old: string | null;
  edge: string | null;
}

/** Headers that are not compared, because they differ between hosts, connections or moments even for the same page. */
export const IGNORED_HEADERS: readonly string[] = [
  'age',
  'alt-svc',
  'connection',
  'content-length',
  'date',
  'keep-alive',
  'server',
  'transfer-encoding',
  'via',
  'x-request-id',
];

/** Compares the responses of both hosts to one request. Returns the differences in this order: status, headers by name, body. */
export function compareResponses(
  old: AskedHost,
  edge: AskedHost,
  ignored: ReadonlySet<string>,
): ResponseDifference[] {
  if (!old.ok || !edge.ok) {
    return [
      {
        part: 'connection',
        name: null,
        old: old.ok ? null : old.problem,
        edge: edge.ok ? null : edge.problem,
      },
    ];
  }
  return [
    ...(old.status === edge.status
      ? []
      : [{ part: 'status' as const, name: null, old: String(old.status), edge: String(edge.status) }]),
    ...compareHeaders(old.headers, edge.headers, ignored),
    ...compareBodies(old, edge),
  ];
}

type Headers = HostResponse['headers'];

function compareHeaders(old: Headers, edge: Headers, ignored: ReadonlySet<string>): ResponseDifference[] {
  return [...new Set([...old.keys(), ...edge.keys()])]
    .filter((name) => !ignored.has(name))
    .toSorted()
    .map((name) => ({
      part: 'header' as const,
      name,
      old: headerText(name, old.get(name)),
      edge: headerText(name, edge.get(name)),
    }))
    .filter((difference) => difference.old !== difference.edge);
}

/** Joins a header's values. Shows only the names of cookies, because their values are secrets and differ with each visit. */
function headerText(name: string, values: readonly string[] | undefined): string | null {
  if (values === undefined) return null;
  if (name !== 'set-cookie') return values.join(', ');
  return values
    .map((value) => value.split('=', 1)[0])
    .toSorted()
    .join(', ');
}

function compareBodies(old: HostResponse, edge: HostResponse): ResponseDifference[] {
  if (old.body.equals(edge.body) && old.isCut === edge.isCut) return [];
  if (!isText(old) || !isText(edge)) {
    return [{ part: 'body', name: null, old: sizeText(old), edge: sizeText(edge) }];
  }
  const oldLines = old.body.toString().split('\n');
  const edgeLines = edge.body.toString().split('\n');
  const at = oldLines.findIndex((line, index) => line !== edgeLines[index]);
  const line = at === -1 ? oldLines.length : at;
  return [
    {
      part: 'body',
      name: `line ${line + 1}`,
      old: oldLines[line] ?? null,
      edge: edgeLines[line] ?? null,
    },
  ];
}

/** Returns true for a UTF-8 body. A truncated body is compared as bytes, because its end may be in the middle of a character. */
function isText({ body, isCut }: HostResponse): boolean {
  return !isCut && isUtf8(body);
}

function sizeText({ body, isCut }: HostResponse): string {
  return isCut ? `more than ${body.length} bytes` : `${body.length} bytes`;
}
