/** What somebody who is asked may say. */
export const ANSWERS = ['safe', 'need_help', 'not_there'] as const
export type Answer = (typeof ANSWERS)[number]

/** How an answer came. */
export const ANSWERED_VIA = ['link', 'portal', 'coordinator', 'sms'] as const
export type AnsweredVia = (typeof ANSWERED_VIA)[number]

/** How far the question came: read or delivered, handed over, on its way, by no way, or only recorded. */
export const REACHED = ['delivered', 'sent', 'waiting', 'failed', 'recorded'] as const
export type Reached = (typeof REACHED)[number]

/** Parts of the list of a roll-call; 'help' is who needs help and is not helped yet, 'unclear' whose text is to be read. */
export const RECIPIENT_FILTERS = ['help', 'unclear', 'silent', 'unreached', 'safe', 'not_there', 'helped'] as const
export type RecipientFilter = (typeof RECIPIENT_FILTERS)[number]
