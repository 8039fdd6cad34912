/** Maximum characters of a text message composed here (C-35); a text sent unchanged may be ten times as long. */
export const MAX_COMPOSED = 160
export const MAX_RAW = 1600
export const TOO_LONG = `SMS message too long (max ${MAX_RAW} characters)`
export const INVALID_PHONE = 'Invalid phone number format'

/** E.164: a plus sign and the country code, 7 to 15 digits in all (ADV-NOTIFY-13). */
export const isPhone = (text: string) => /^\+[1-9]\d{6,14}$/.test(text)

// GSM 03.38: the basic alphabet, and the extension characters that take two units.
const BASIC = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
)
const EXTENDED = new Set('\f^{}\\[~]|€')
/** Units in a single message, and in each segment of a longer one. */
const HOLDS = { 'GSM-7': [160, 153], 'UCS-2': [70, 67] } as const

export interface SmsSize {
  encoding: 'GSM-7' | 'UCS-2'
  /** Length counted against the limit; some characters count as two units. */
  units: number
  /** Number of billed messages. */
  segments: number
}

/** Size of a text when sent. One character outside the GSM alphabet switches the whole text to UCS-2. */
export function smsSize(text: string): SmsSize {
  const signs = [...text]
  const isBasic = signs.every((sign) => BASIC.has(sign) || EXTENDED.has(sign))
  const encoding = isBasic ? 'GSM-7' : 'UCS-2'
  const costs = signs.map((sign) => (isBasic ? (EXTENDED.has(sign) ? 2 : 1) : sign.length))
  const units = costs.reduce((sum, cost) => sum + cost, 0)
  const [alone, segment] = HOLDS[encoding]
  return { encoding, units, segments: units <= alone ? 1 : segmentsOf(costs, segment) }
}

/** A two-unit character is never split between segments. */
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
  /** What to do; omitted if the message itself says it. */
  instruction?: string | undefined
  title: string
  message: string
  link: string | null
}

/**
 * Instruction, title, message and link in one text message. If too long, the message is cut first, then the title and
 * finally the instruction, ending in three dots (an ellipsis character would switch the text to UCS-2, C-36). The link
 * is never cut. A message without title and link is sent unchanged.
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

/** Whether the instruction repeats the title: "Haiti: Do Not Travel." needs no "Haiti: Do Not Travel" below it. */
export const repeats = (instruction: string, title: string): boolean =>
  letters(title) !== '' && letters(instruction).includes(letters(title))
const letters = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

/** Uses as much of the text as fits. */
function longest(text: string, write: (cut: string) => string, fits: (text: string) => boolean): string | undefined {
  const signs = [...text].slice(0, MAX_COMPOSED)
  for (let length = signs.length; length > 0; length--) {
    const head = signs.slice(0, length).join('').trimEnd()
    // Do not separate combining marks from their letter, or joined emoji.
    if (!head || /^[\p{M}\u200d]/u.test(signs[length] ?? '') || head.endsWith('\u200d')) continue
    const written = write(`${head}...`)
    if (fits(written)) return written
  }
  return undefined
}
