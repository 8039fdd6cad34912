/** Returned whether or not the address has an account. */
export const SENT = 'If this address can be used, a message is on its way. Look into your mail, also under spam.'
