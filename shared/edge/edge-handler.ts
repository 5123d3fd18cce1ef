import { redirectResponse } from './edge-responses.ts';
import { createOriginForwarding, type ForwardingOptions } from './forwarding/origin-forwarding.ts';
import type { VisitorHandler } from './listeners/visitor-server.ts';
import { createOwnPages, type ServeHost } from './own-pages.ts';
import { createRequestDispatcher, type RequestDispatcherOptions } from './request-dispatcher.ts';
import { authorityOf } from './wire/request-host.ts';

export interface EdgeHandlerOptions extends RequestDispatcherOptions, ForwardingOptions {
  /** Responds at the white-label hosts of apps. */
  serveHost: ServeHost;
}

/** Creates the handler of the HTTPS port. It redirects, forwards or itself responds to each request that has a route. */
export function createEdgeHandler(options: EdgeHandlerOptions): VisitorHandler {
  const forwarding = createOriginForwarding(options);
  const respondItself = createOwnPages(options);
  const dispatcher = createRequestDispatcher(options, (routed) => {
    const { visitorRequest, request, route } = routed;
    if (route.origin?.kind === 'connect') return void respondItself(routed);
    if (route.redirectTo === null) return forwarding.forward(routed);
    const location = `${options.scheme}://${authorityOf(request.host, route.redirectTo)}${request.pathAndQuery}`;
    visitorRequest.respond(redirectResponse(location, visitorRequest.requestId));
  });
  return { ...dispatcher, close: forwarding.close };
}
