import { redirectResponse } from './edge-responses.ts';
import { createOriginForwarding, type ForwardingOptions } from './forwarding/origin-forwarding.ts';
import type { VisitorHandler } from './listeners/visitor-server.ts';
import { createRequestDispatcher, type RequestDispatcherOptions } from './request-dispatcher.ts';
import { authorityOf } from './wire/request-host.ts';

export interface EdgeHandlerOptions extends RequestDispatcherOptions, ForwardingOptions {}

/** Creates the handler of the HTTPS port. It redirects or forwards each request that has a route. */
export function createEdgeHandler(options: EdgeHandlerOptions): VisitorHandler {
  const forwarding = createOriginForwarding(options);
  const dispatcher = createRequestDispatcher(options, (routed) => {
    const { visitorRequest, request, route } = routed;
    if (route.redirectTo === null) return forwarding.forward(routed);
    const location = `${options.scheme}://${authorityOf(request.host, route.redirectTo)}${request.pathAndQuery}`;
    visitorRequest.respond(redirectResponse(location, visitorRequest.requestId));
  });
  return { ...dispatcher, close: forwarding.close };
}
