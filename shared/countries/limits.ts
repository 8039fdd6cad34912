/** Countries that one search takes. In a file of its own, so that the browser can import it without Zod. */
export const MAX_COUNTRIES = 31
