/** A value that a Lua table can hold. */
export type LuaValue =
  | string
  | number
  | boolean
  | readonly LuaValue[]
  | { readonly [name: string]: LuaValue };

/** Returns a value as a Lua expression. Strings may contain any byte. Keys that consist of digits become numbers. */
export function luaLiteral(value: LuaValue): string {
  if (typeof value === 'string') return luaString(value);
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (isList(value)) return `{ ${value.map(luaLiteral).join(', ')} }`;
  const fields = Object.entries(value).map(([name, each]) => `[${luaKey(name)}] = ${luaLiteral(each)}`);
  return `{ ${fields.join(', ')} }`;
}

function isList(value: object): value is readonly LuaValue[] {
  return Array.isArray(value);
}

function luaKey(name: string): string {
  return /^\d+$/.test(name) ? name : luaString(name);
}

/** Returns a Lua string literal. Each byte that is not printable ASCII becomes `\ddd` (Lua 5.1 reference section 2.1). */
function luaString(text: string): string {
  const bytes = Buffer.from(text, 'utf8');
  let written = '';
  for (const byte of bytes) {
    const isPlain = byte >= 0x20 && byte < 0x7f && byte !== 0x22 && byte !== 0x5c;
    written += isPlain ? String.fromCharCode(byte) : `\\${String(byte).padStart(3, '0')}`;
  }
  return `"${written}"`;
}
