/**
 * After a 401: whether the session was renewed, so that the call may be sent again. Set where the page starts, and apart
 * from the transport, which most visits never load.
 */
export const sessionRenewal = { renew: async () => false }
