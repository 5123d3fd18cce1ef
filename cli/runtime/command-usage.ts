interface Argument {
  required?: boolean | undefined;
  multiple?: boolean | undefined;
}

/** Returns a command with its arguments as its usage shows them, such as `domains wait DOMAIN...` or `emulator clock advance [BY]`. */
export function usageOf(id: string, args: Readonly<Record<string, Argument>>): string {
  const words = Object.entries(args).map(([name, { required, multiple }]) => {
    const word = `${name.toUpperCase()}${multiple ? '...' : ''}`;
    return required ? word : `[${word}]`;
  });
  return [...id.split(':'), ...words].join(' ');
}
