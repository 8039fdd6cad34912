/** Code with which the server closes a socket whose person may now do other things: the client opens it anew at once. */
export const SESSION_CHANGED = 4001
