import { createPublicKey, verify } from 'node:crypto';
import { expect, test } from 'vitest';

/** The example of the section "Digitally Sign Requests" in the Domain Connect draft. The verification in our tests must accept it too. */
const QUERY = 'a=1&b=2&ip=10.10.10.10&domain=example.net';
const KEY =
  'MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA18SgvpmeasN4BHkkv0SBjAzIc4grYLjiAXRtNiBUiGUDMeTzQrKTsWvy9NuxU1dIHCZy9o1CrKNg5EzLIZLNyMfI6qiXnM+HMd4byp97zs/3D39Q8iR5poubQcRaGozWx8yQpG0OcVdmEVcTfyR/XSEWC5u16EBNvRnNAOAvZYUdWqVyQvXsjnxQot8KcK0QP8iHpoL/1dbdRy2opRPQ2FdZpovUgknybq/6FkeDtW7uCQ6Mvu4QxcUa3+WP9nYHKtgWip/eFxpeb+qLvcLHf1h0JXtxLVdyy6OLk3f2JRYUX2ZZVDvG3biTpeJz6iRzjGg6MfGxXZHjI8weDjXrJwIDAQAB';
const SIG =
  'V2te9zWMU7G3plxBTsmYSJTvn2vzMvNwAjWQ+wTe91DxuJhdVf4cVc4vZBYfEYV7u5d7PzTO7se7OrkhyiB7TpoJJW1yB5qHR7HKM5SZldUsdtg5+1SzEtIX0Uq8b2mCmQF/uJGXpqCyFrEajvpTM7fFKPk1kuctmtkjV7+ATcvNPLWY7KyE4+qc8jpfN61cP5l8iA4krAa3+fTro5cmWR8YUJ5yrnRs6KT4b5D71HFvOUk0sGEUddUUlsyRQKRHUFN6HjEya50YDHfZJlYHkHlK0xX6Yqeii9QZ2I35U9eJbSvZGQko5beqviWFXdsVDbvd3DYcbSHgJq9/XoMTTw==';

test('the signature of a Domain Connect link is RSA with SHA-256 over the query string, PKCS #1 v1.5', () => {
  const key = createPublicKey({ key: Buffer.from(KEY, 'base64'), format: 'der', type: 'spki' });
  const isSigned = (query: string) => verify('sha256', Buffer.from(query), key, Buffer.from(SIG, 'base64'));
  expect(isSigned(QUERY)).toBe(true);
  expect(isSigned(`${QUERY}&c=3`)).toBe(false);
});
