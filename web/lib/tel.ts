/** The address that rings a number, however it is written. */
export const telOf = (phone: string) => `tel:${phone.replace(/[^+\d]/g, '')}`
