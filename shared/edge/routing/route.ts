import type { FoundRoute } from '../../core/edge/edge-route.ts';

/**
 * Where hostnames lead: a `RouteTable`, or something that has to ask.
 * @param hostname lowercase, without port, trailing dot or the emulator's `.localhost`.
 */
export type RouteSource = (hostname: string) => FoundRoute | Promise<FoundRoute>;
