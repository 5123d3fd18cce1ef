/**
 * A zone with signatures that no server would create. The zone was signed once, with a key that no longer exists, and is served unchanged.
 */
interface PresignedZone {
  /** The DS records at the registry, which match the key. */
  ds: string;
  records: readonly string[];
}

/** A zone whose signatures expired at the end of 2020. */
export const EXPIRED: PresignedZone = {
  ds: '6824 13 2 1551DB7B39458D95CAA48E7D974358E936F4793FB17C882C214A9BCF526727F2',
  records: [
    '@ DNSKEY 257 3 13 ArPXVYXWhTL86hqwGtRNzWXm2/PMVobqhi6uzM9HDUfnH43ZT5BQ6e1uZzFMGbq0d3LVXOlc9m6vsnW34XhmRg==',
    '@ RRSIG DNSKEY 13 2 300 20210101000000 20200101000000 6824 expired.test. yOgqeVRZicK0vWyLTkmG9hw43c9Ua6lSmGbCQDPok7Hy7cW8PLAFFQW5iq7/goOzb7dv61zqvrdiqt7FM1ZI5Q==',
    'careers CNAME k3x9.edge.test.',
    'careers RRSIG CNAME 13 3 300 20210101000000 20200101000000 6824 expired.test. 2AQjSsYD1k6ATx1IXLJvQjHtk8nwcVB2o+XGTqgbbvqym1Kc6PrLdHcTIhdnk4GabGkvuQO/Fw20lkNER+yOHA==',
  ],
};

/**
 * A zone with signatures that are valid until 2080, but without NSEC records. A validating resolver fails at every negative answer,
 * because an NSEC record would have to prove it.
 */
export const WITHOUT_DENIAL: PresignedZone = {
  ds: '60806 13 2 0272ED6C84FAB9697D51C4F19AA7D98B4B9F4C78A51692FB7AC4341C03C6E5C1',
  records: [
    '@ DNSKEY 257 3 13 9xopabdJn8XCmybFKt5ZdpbVkn56Yvj3HBPNESZoWg6/emy6unj5RZP2Bm7/8+oIMRfeH/BCIXzpSiVRPFctpw==',
    '@ RRSIG DNSKEY 13 2 300 20800101000000 20250101000000 60806 no-denial.test. r5SLdjuoDetc4h7K6lfLK3yPQRDOr3yzfq7m4O0TiGE20Zc4P8oPYGBzcGQnGbH5keHfMbjqZAarHrCvlKvD4w==',
    'careers CNAME k3x9.edge.test.',
    'careers RRSIG CNAME 13 3 300 20800101000000 20250101000000 60806 no-denial.test. NfoH/pJ+w0m4PyKI8ak41Ms3BIaibqc6qtYr8brvcKHmuuaajuno1558VCvRowUfeD4SjBkI0q8mFhql3ybXUw==',
  ],
};
