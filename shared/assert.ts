/** A value that is there by construction. Throws an error that names it where it is not. */
export function present<T>(value: T, what: string): NonNullable<T> {
  if (value === undefined || value === null) throw new Error(`Expected ${what}, found none`)
  return value
}

/** The first of a list that cannot be empty. */
export const firstOf = <T>(list: readonly T[]): NonNullable<T> => present(list[0], 'a first item')

/** The last of a list that cannot be empty. */
export const lastOf = <T>(list: readonly T[]): NonNullable<T> => present(list.at(-1), 'a last item')
