/** User text as a literal part of a LIKE pattern (F-27). */
export const escapeLike = (text: string) => text.replace(/[\\%_]/g, '\\$&')

/** LIKE pattern for rows that contain a text literally; compare it with lower-case text. */
export const containing = (text: string) => `%${escapeLike(text.replaceAll('\0', '').toLowerCase())}%`
