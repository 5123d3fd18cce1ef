import type { FoundRoute } from '../../core/edge/edge-route.ts';

/**
 * Finds the route of a hostname: in a `RouteTable`, or by a lookup.
 * @param hostname lowercase, without port, trailing dot or the emulator's `.localhost`.
 */
export type RouteSource = (hostname: string) => FoundRoute | Promise<FoundRoute>;
