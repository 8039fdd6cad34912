/** Characters of one text message, as it is composed here (C-35); a text that is sent as it is may have ten times as many. */
export const MAX_COMPOSED = 160
export const MAX_RAW = 1600
export const TOO_LONG = `SMS message too long (max ${MAX_RAW} characters)`
export const INVALID_PHONE = 'Invalid phone number format'

/** With a plus sign and the country code, 7 to 15 digits in all (ADV-NOTIFY-13). */
export const isPhone = (text: string) => /^\+[1-9]\d{6,14}$/.test(text)

// GSM 03.38: the alphabet of a plain telephone, and what it writes with two signs.
const BASIC = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
)
const EXTENDED = new Set('\f^{}\\[~]|€')
/** Units that one message holds alone, and as a part of several. */
const HOLDS = { 'GSM-7': [160, 153], 'UCS-2': [70, 67] } as const

export interface SmsSize {
  encoding: 'GSM-7' | 'UCS-2'
  /** What is counted against the limit: a sign, or two of them where one is written so. */
  units: number
  /** Messages that are paid for. */
  segments: number
}

/** What a text comes to when it is sent. One sign outside of the plain alphabet makes all of them larger. */
export function smsSize(text: string): SmsSize {
  const signs = [...text]
  const isBasic = signs.every((sign) => BASIC.has(sign) || EXTENDED.has(sign))
  const encoding = isBasic ? 'GSM-7' : 'UCS-2'
  const costs = signs.map((sign) => (isBasic ? (EXTENDED.has(sign) ? 2 : 1) : sign.length))
  const units = costs.reduce((sum, cost) => sum + cost, 0)
  const [alone, segment] = HOLDS[encoding]
  return { encoding, units, segments: units <= alone ? 1 : segmentsOf(costs, segment) }
}

/** A sign of two units is never torn apart by the end of a part. */
function segmentsOf(costs: number[], holds: number): number {
  let segments = 1
  let used = 0
  for (const cost of costs) {
    if (used + cost > holds) {
      segments++
      used = 0
    }
    used += cost
  }
  return segments
}

export interface ShortText {
  /** What to do; absent where the message itself says it. */
  instruction?: string | undefined
  title: string
  message: string
  link: string | null
}

/**
 * Instruction, title, message and link in one text message. What is too long is cut from the message, then from the
 * title and last from the instruction, and ends in three dots (one sign for them would make the whole larger, C-36). The
 * link is never cut. A message without title and link is sent as it is.
 */
export function composeSms({ instruction = '', title, message, link }: ShortText): string {
  if (!instruction && !title && !link) return message
  const heading = repeats(instruction, title) ? '' : title
  const write = (...lines: (string | null)[]) => lines.filter(Boolean).join('\n')
  const fits = (text: string) => smsSize(text).units <= MAX_COMPOSED
  const whole = write(instruction, heading, message, link)
  if (fits(whole)) return whole
  return (
    longest(message, (cut) => write(instruction, heading, cut, link), fits) ??
    fitting(instruction && write(instruction, heading, link), fits) ??
    longest(heading, (cut) => write(instruction, cut, link), fits) ??
    fitting(instruction && write(instruction, link), fits) ??
    longest(instruction, (cut) => write(cut, link), fits) ??
    write(link) ??
    ''
  )
}

const fitting = (text: string, fits: (text: string) => boolean) => (text && fits(text) ? text : undefined)

/** "Haiti: Do Not Travel" needs no line "Haiti: Do Not Travel." above it. */
export const repeats = (instruction: string, title: string): boolean =>
  letters(title) !== '' && letters(instruction).includes(letters(title))
const letters = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

/** With as much of the text as fits. */
function longest(text: string, write: (cut: string) => string, fits: (text: string) => boolean): string | undefined {
  const signs = [...text].slice(0, MAX_COMPOSED)
  for (let length = signs.length; length > 0; length--) {
    const head = signs.slice(0, length).join('').trimEnd()
    // Marks belong to the letter before them, and a joined sign to its other half.
    if (!head || /^[\p{M}\u200d]/u.test(signs[length] ?? '') || head.endsWith('\u200d')) continue
    const written = write(`${head}...`)
    if (fits(written)) return written
  }
  return undefined
}
