/**
 * Control and invisible format characters, including bidirectional controls. Excludes line breaks, the joiners that
 * some scripts need, and the visible Arabic number signs.
 */
const UNSEEN = /(?!\u200C|\u200D|[\t\n\r\u0600-\u0605\u06DD\u08E2])[\p{Cc}\p{Cf}\u2028\u2029]/gu

/** Text without control characters and invisible format characters. */
export const withoutControls = (text: string): string => text.replace(UNSEEN, '')

/** Text of a record, on one line. */
export const singleLine = (text: string): string => withoutControls(text.replace(/\s+/gu, ' ')).trim()

// Characters escaped always, only as part of an address, or only at the start of a list item.
const LIVE = /[\\`*_{}[\]<>#|~=!&$^@]|:(?=\/\/)|(?<=\bwww)\.|(?<=^\d{1,9})[.)](?=\s|$)|^[-+](?=[-\s]|$)/gi

/** Escapes text of a record so that none of it is Markdown, HTML or an autolinked address. */
export const escapeMarkdown = (text: string): string => singleLine(text).replace(LIVE, '\\$&')

const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}]/u

/** Isolates a name or number from the writing direction of the surrounding text. */
export const isolate = (text: string, isRightToLeft: boolean): string =>
  isRightToLeft || RIGHT_TO_LEFT.test(text) ? `\u2068${text}\u2069` : text

/** An address that is safe to link to, which is a portal path or a web address; otherwise null. */
export function safeUrl(address: string | null): string | null {
  if (!address) return null
  if (/^\/(?![/\\])/.test(address)) return quoted(new URL(address, 'http://portal.invalid').href.slice(21))
  if (!URL.canParse(address)) return null
  const url = new URL(address)
  return /^https?:$/.test(url.protocol) && !url.username && !url.password ? quoted(url.href) : null
}

/** Brackets would end the link. */
const quoted = (address: string) => address.replace(/[()<>\\[\]]/g, (c) => `%${c.charCodeAt(0).toString(16)}`)
