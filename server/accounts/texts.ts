/** Returned whether or not the address has an account. */
export const SENT = 'If we can use this address, we have sent you an email. Check your inbox and your spam folder.'
