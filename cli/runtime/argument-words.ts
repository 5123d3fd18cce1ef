interface Argument {
  required?: boolean | undefined;
  multiple?: boolean | undefined;
}

/** Returns the arguments of a command as its usage shows them, such as `DOMAIN...` or `[FILE]`. */
export function argumentWords(args: Readonly<Record<string, Argument>>): string[] {
  return Object.entries(args).map(([name, { required, multiple }]) => {
    const word = `${name.toUpperCase()}${multiple ? '...' : ''}`;
    return required ? word : `[${word}]`;
  });
}
