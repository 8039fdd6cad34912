import type { OutboundMessage } from '../outbound-message.ts'
import { escaped } from './html.ts'

/** The words of one reader, in a channel that carries plain text. Throws when they need what nobody gave. */
export function filledFor({ personal }: Pick<OutboundMessage, 'personal'>, text: string): string {
  if (!personal || !text.includes('{{')) return text
  return text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => tokenValue(name, personal))
}

/** The same in markup, where what belongs to the reader is text and nothing else. */
export function filledMarkup({ personal }: Pick<OutboundMessage, 'personal'>, html: string): string {
  if (!personal || !html.includes('{{')) return html
  return html.replace(/\{\{(\w+)\}\}/g, (_, name: string) => escaped(tokenValue(name, personal)))
}

/** What stands in a place of the words. Throws when nobody gave it. */
export function tokenValue(name: string, personal: Record<string, string>): string {
  const value = Object.hasOwn(personal, name) ? personal[name] : undefined
  if (value === undefined) throw new Error(`The text of a message needs "${name}"`)
  return value
}
