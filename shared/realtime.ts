/** Code with which the server closes a socket after the user's permissions change; the client reconnects at once. */
export const SESSION_CHANGED = 4001
