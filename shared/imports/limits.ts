/** Limits of a file, whatever it lists. */
export const MAX_ROWS = 100_000
export const MAX_COLUMNS = 200
export const MAX_BYTES = 30 * 1024 * 1024

/** Cell values that mean "unknown", unless overridden for the import. */
export const MISSING_WORDS = ['NA', 'N/A', '-'] as const
