/** So long the word of a locale counts; then its page says to call first. */
export const CALL_FIRST_AFTER_DAYS = 120
