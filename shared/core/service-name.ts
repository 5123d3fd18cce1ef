/** Names on the wire that contain the service's name. They are all derived here (`service_name`, default `Service`). */
export type ServiceNames = ReturnType<typeof serviceNames>;

/**
 * Derives the names that contain the service's name.
 * @param serviceName letters and digits, spelled as in headers: `Service` gives `Service-Signature`.
 * @throws RangeError if it cannot be part of a header name and a DNS label.
 */
export function serviceNames(serviceName: string) {
  if (!/^[A-Za-z][A-Za-z0-9]{0,30}$/.test(serviceName)) {
    throw new RangeError(
      `service_name must be 1 to 31 letters and digits and start with a letter, not "${serviceName}"`,
    );
  }
  const lower = serviceName.toLowerCase();
  return {
    service_name: serviceName,
    /** `docs/api.md#webhooks`: the webhook request. */
    signature_header: `${serviceName}-Signature`,
    event_id_header: `${serviceName}-Event-Id`,
    delivery_id_header: `${serviceName}-Delivery-Id`,
    webhook_user_agent: `${serviceName}-Webhooks/1`,
    probe_user_agent: `${serviceName}-Probe/1`,
    /** `docs/api.md#the-service`: the headers the edge adds. */
    origin_header_prefix: `X-${serviceName}-`,
    domain_id_header: `X-${serviceName}-Domain-Id`,
    app_id_header: `X-${serviceName}-App-Id`,
    timestamp_header: `X-${serviceName}-Timestamp`,
    origin_signature_header: `X-${serviceName}-Signature`,
    /** `docs/api.md#domain`: the label of the TXT record that proves an apex domain. */
    txtLabel: `_${lower}`,
    /** `docs/api.md#errors`: `hostname_is_<service>`. */
    hostname_is_service_code: `hostname_is_${lower}`,
    test_ca_issuer: `${serviceName} Test CA`,
  };
}
