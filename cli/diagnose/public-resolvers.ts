/** The public resolvers that lookups from this machine use by default. */
export const PUBLIC_RESOLVERS: readonly string[] = ['1.1.1.1', '8.8.8.8', '9.9.9.9'];
