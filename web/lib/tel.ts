/** A `tel:` URL for a number in any notation. */
export const telOf = (phone: string) => `tel:${phone.replace(/[^+\d]/g, '')}`
