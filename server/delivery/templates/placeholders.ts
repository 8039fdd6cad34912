import type { OutboundMessage } from '../outbound-message.ts'
import { escaped } from './html.ts'

/** Fills the recipient's placeholders for a plain-text channel. Throws if a value is missing. */
export function fillText({ personal }: Pick<OutboundMessage, 'personal'>, text: string): string {
  if (!personal || !text.includes('{{')) return text
  return text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => tokenValue(name, personal))
}

/** The same for markup, with the values escaped. */
export function fillMarkup({ personal }: Pick<OutboundMessage, 'personal'>, html: string): string {
  if (!personal || !html.includes('{{')) return html
  return html.replace(/\{\{(\w+)\}\}/g, (_, name: string) => escaped(tokenValue(name, personal)))
}

/** The value of a placeholder. Throws if it is missing. */
export function tokenValue(name: string, personal: Record<string, string>): string {
  const value = Object.hasOwn(personal, name) ? personal[name] : undefined
  if (value === undefined) throw new Error(`The text of a message needs "${name}"`)
  return value
}
