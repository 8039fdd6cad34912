import type { Leaving } from '../leaving.ts'

/** The words of one reader, in a channel that carries plain text. Throws when they need what nobody gave. */
export function filledFor({ personal }: Pick<Leaving, 'personal'>, text: string): string {
  if (!personal || !text.includes('{{')) return text
  return text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => wordOf(name, personal))
}

/** What stands in a place of the words. Throws when nobody gave it. */
export function wordOf(name: string, personal: Record<string, string>): string {
  const value = Object.hasOwn(personal, name) ? personal[name] : undefined
  if (value === undefined) throw new Error(`The text of a message needs "${name}"`)
  return value
}
