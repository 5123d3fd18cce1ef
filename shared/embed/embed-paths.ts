/** Paths of the endpoints that the component calls. */
export const EMBED_PATHS = { content: '/v1/connect', check: '/v1/connect/check' } as const;
