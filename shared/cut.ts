/** The beginning of a text, as schemas count: in UTF-16 units, without half a character at the end. */
export const cut = (text: string, max: number): string => text.slice(0, max).replace(/[\uD800-\uDBFF]$/, '')
