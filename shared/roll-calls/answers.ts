/** Possible answers of a recipient. */
export const ANSWERS = ['safe', 'need_help', 'not_there'] as const
export type Answer = (typeof ANSWERS)[number]

/** Channel of an answer. */
export const ANSWERED_VIA = ['link', 'portal', 'coordinator', 'sms'] as const
export type AnsweredVia = (typeof ANSWERED_VIA)[number]

/** How far the question got: read or delivered, sent, waiting, no channel worked, or only recorded. */
export const REACHED = ['delivered', 'sent', 'waiting', 'failed', 'recorded'] as const
export type Reached = (typeof REACHED)[number]

/** Filters of the recipient list; 'help': needs help and has not been helped yet; 'unclear': text to be read. */
export const RECIPIENT_FILTERS = ['help', 'unclear', 'silent', 'unreached', 'safe', 'not_there', 'helped'] as const
export type RecipientFilter = (typeof RECIPIENT_FILTERS)[number]
