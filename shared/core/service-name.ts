/** Names on the wire that contain the service's name (setting `service_name`, default `Service`). All of them are derived here. */
export type ServiceNames = ReturnType<typeof serviceNames>;

/**
 * Derives the names that contain the service's name.
 * @param serviceName letters and digits, spelled as in headers: `Service` gives `Service-Signature`.
 * @throws RangeError if the name cannot be part of a header name and a DNS label.
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
    /** The name that people read on pages and in mails. Without a name of the operator's own, it is the name of the product. */
    shown_name: serviceName === 'Service' ? 'Nameplate' : serviceName,
    /** Headers of the webhook request (`docs/api.md#webhooks`). */
    signature_header: `${serviceName}-Signature`,
    event_id_header: `${serviceName}-Event-Id`,
    delivery_id_header: `${serviceName}-Delivery-Id`,
    webhook_user_agent: `${serviceName}-Webhooks/1`,
    probe_user_agent: `${serviceName}-Probe/1`,
    /** Prefix of the headers that the edge adds (`docs/api.md#the-service`). */
    origin_header_prefix: `X-${serviceName}-`,
    domain_id_header: `X-${serviceName}-Domain-Id`,
    app_id_header: `X-${serviceName}-App-Id`,
    timestamp_header: `X-${serviceName}-Timestamp`,
    origin_signature_header: `X-${serviceName}-Signature`,
    /** Label of the TXT record that proves an apex domain (`docs/api.md#domain`). */
    txtLabel: `_${lower}`,
    /** Error code `hostname_is_<service>` (`docs/api.md#errors`). */
    hostname_is_service_code: `hostname_is_${lower}`,
    test_ca_issuer: `${serviceName} Test CA`,
  };
}
