/** A type that says a value was checked: only the function that checks it makes one. */
export type Brand<T, Name extends string> = T & { readonly __brand: Name };
