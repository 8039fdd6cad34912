/**
 * Name of the search input of a places field, submitted so that text entered but not selected is not silently dropped.
 */
export const searchOf = (name: string) => `${name}_search`

/** Submitted values of a field, separated by commas. */
export const listOf = (text: string | undefined) => (text ?? '').split(',').filter(Boolean)
