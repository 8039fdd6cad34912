/**
 * Control characters, and marks that nobody sees and that turn the direction of what follows. Line breaks stay, the
 * joiners that are letters to some scripts, and the signs before Arabic figures, which are seen.
 */
const UNSEEN = /(?!\u200C|\u200D|[\t\n\r\u0600-\u0605\u06DD\u08E2])[\p{Cc}\p{Cf}\u2028\u2029]/gu

/** Text without control characters and without marks that turn directions around. */
export const withoutControls = (text: string): string => text.replace(UNSEEN, '')

/** What comes from a record, on one line. */
export const singleLine = (text: string): string => withoutControls(text.replace(/\s+/gu, ' ')).trim()

// Always, or only where it stands before an address, or where it begins a list.
const LIVE = /[\\`*_{}[\]<>#|~=!&$^@]|:(?=\/\/)|(?<=\bwww)\.|(?<=^\d{1,9})[.)](?=\s|$)|^[-+](?=[-\s]|$)/gi

/** Text from a record so that no character of it is Markdown, HTML or an address that becomes a link by itself. */
export const escapeMarkdown = (text: string): string => singleLine(text).replace(LIVE, '\\$&')

const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}]/u

/** Keeps a name or number of its own direction together where it stands between words of another. */
export const isolate = (text: string, isRightToLeft: boolean): string =>
  isRightToLeft || RIGHT_TO_LEFT.test(text) ? `\u2068${text}\u2069` : text

/** An address that may stand behind a link: a path of the portal, or of the web; otherwise null. */
export function safeUrl(address: string | null): string | null {
  if (!address) return null
  if (/^\/(?![/\\])/.test(address)) return quoted(new URL(address, 'http://portal.invalid').href.slice(21))
  if (!URL.canParse(address)) return null
  const url = new URL(address)
  return /^https?:$/.test(url.protocol) && !url.username && !url.password ? quoted(url.href) : null
}

/** Brackets would end the link. */
const quoted = (address: string) => address.replace(/[()<>\\[\]]/g, (c) => `%${c.charCodeAt(0).toString(16)}`)
