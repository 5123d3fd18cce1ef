/** Encrypts secrets at rest: signing secrets, TLS keys and stored response bodies. */
export interface SecretBox {
  /**
   * Seals a text. @param boundTo identifies the owner. The text opens only with the same value, so that it cannot be moved to another row.
   */
  seal(text: string, boundTo: string): string;
  /** Opens a sealed text. @throws Error if the key is unknown, or if the text was changed or belongs to another owner. */
  open(sealed: string, boundTo: string): string;
  /** Returns a box that uses this one key, such as a data key. @param key 32 bytes. */
  withKey(key: Uint8Array): SecretBox;
}

export interface KeyRing {
  /** The id of the key that seals. Every other key still opens. */
  current: string;
  /** 32 bytes each, by key id (letters and digits). */
  keys: ReadonlyMap<string, Uint8Array>;
}
