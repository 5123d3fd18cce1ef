/** Returns whether a path leads to an endpoint of the API, also after `..` in it is resolved. A query may follow. */
export function isApiPath(path: string): boolean {
  return path.startsWith('/v1/') && new URL(path, 'http://api.invalid').pathname.startsWith('/v1/');
}
