/** Marks a type whose values are known to be valid. Only the function that validates a value can create it. */
export type Branded<T, Name extends string> = T & { readonly __brand: Name };
