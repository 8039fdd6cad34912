/** User text as a literal part of a LIKE pattern (F-27). */
export const escapeLike = (text: string) => text.replace(/[\\%_]/g, '\\$&')
