/** Names on the wire that contain the service's name. They are all derived here (`service_name`, default `Service`). */
export type ServiceNames = ReturnType<typeof serviceNames>;

/**
 * Derives the names that contain the service's name.
 * @param service_name letters and digits, spelled as in headers: `Service` gives `Service-Signature`.
 * @throws RangeError if it cannot be part of a header name and a DNS label.
 */
export function serviceNames(service_name: string) {
  if (!/^[A-Za-z][A-Za-z0-9]{0,30}$/.test(service_name)) {
    throw new RangeError(
      `service_name must be 1 to 31 letters and digits and start with a letter, not "${service_name}"`,
    );
  }
  const lower = service_name.toLowerCase();
  return {
    service_name,
    /** Section 6: the webhook request. */
    signature_header: `${service_name}-Signature`,
    event_id_header: `${service_name}-Event-Id`,
    delivery_id_header: `${service_name}-Delivery-Id`,
    webhook_user_agent: `${service_name}-Webhooks/1`,
    probe_user_agent: `${service_name}-Probe/1`,
    /** Section 1: the headers the edge adds. */
    origin_header_prefix: `X-${service_name}-`,
    domain_id_header: `X-${service_name}-Domain-Id`,
    app_id_header: `X-${service_name}-App-Id`,
    timestamp_header: `X-${service_name}-Timestamp`,
    origin_signature_header: `X-${service_name}-Signature`,
    /** Section 2.2: the label of the TXT record that proves an apex domain. */
    txt_label: `_${lower}`,
    /** Section 7: `hostname_is_<service>`. */
    hostname_is_service_code: `hostname_is_${lower}`,
    test_ca_issuer: `${service_name} Test CA`,
  };
}
