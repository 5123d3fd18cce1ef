/** Marks a type whose values were validated. Only the function that validates them creates them. */
export type Brand<T, Name extends string> = T & { readonly __brand: Name };
