/** What somebody who is asked may say. */
export const ANSWERS = ['safe', 'need_help', 'not_there'] as const
export type Answer = (typeof ANSWERS)[number]

/** How an answer came. */
export const ANSWERED_VIA = ['link', 'portal', 'coordinator', 'sms'] as const
export type AnsweredVia = (typeof ANSWERED_VIA)[number]

/** How far the question came: read or delivered, handed over, on its way, by no way, or only recorded. */
export const REACHED = ['delivered', 'sent', 'waiting', 'failed', 'recorded'] as const
export type Reached = (typeof REACHED)[number]

/** Parts of the list of a roll-call; 'help' is who needs help and is not helped yet. */
export const PARTS = ['help', 'silent', 'unreached', 'safe', 'not_there', 'helped'] as const
export type Part = (typeof PARTS)[number]

const WORDS: Record<Answer, readonly string[]> = {
  safe: ['safe', 'i am safe', 'im safe', "i'm safe", 'ok', 'okay', 'بخير', 'انا بخير', 'سالم', 'سالمة', 'امن', 'امنة'],
  need_help: [
    'help',
    'need help',
    'i need help',
    'sos',
    'مساعدة',
    'احتاج مساعدة',
    'احتاج الى مساعدة',
    'النجدة',
    'نجدة',
  ],
  not_there: [
    'away',
    'not there',
    'i am not there',
    'not here',
    'لست هناك',
    'غير موجود',
    'غير موجودة',
    'لست هنا',
    'بعيد',
  ],
}
const ANSWER_OF = new Map(ANSWERS.flatMap((answer) => WORDS[answer].map((word) => [word, answer] as const)))

/**
 * What a text message answers, or null. Letters are compared without signs above and below them. 'help' in front of
 * other words is a call for help: those who call write more than one word, and to take it for nothing is worse.
 */
export function answerIn(text: string): Answer | null {
  const words = plain(text)
  const whole = ANSWER_OF.get(words)
  if (whole) return whole
  const first = words.split(' ')[0] ?? ''
  if (ANSWER_OF.get(first) === 'need_help' || /(^| )(need help|احتاج (الى )?مساعدة)( |$)/.test(words))
    return 'need_help'
  // 'safe' in a longer sentence may be its opposite: "not safe", "safe for now but".
  return null
}

const plain = (text: string) =>
  text
    .slice(0, 500)
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[ـ’]/g, (sign) => (sign === '’' ? "'" : ''))
    .replace(/[^\p{L}\p{N}']+/gu, ' ')
    .trim()
