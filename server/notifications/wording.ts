import type { Language } from '#shared/language.ts'
import { composeSms } from '#shared/notifications/sms.ts'
import { type Rendered, render, type Template, type TemplateValues } from '../messages/templates.ts'
import type { AnnouncementText } from './announcing.ts'

interface Announced {
  template: string
  texts: Record<Language, AnnouncementText>
  action_url: string | null
  /** Of the reader. */
  name: string
}

/** What stands around every message. */
export interface Frame {
  brand: string
  publicUrl: string
}

export interface Wording extends Rendered {
  title: string
  message: string
  /** As a text message. */
  short: string
}

/** An announcement as its reader sees it; null where its words cannot be put together. */
export function wordingOf(
  { template, texts, action_url, name }: Announced,
  language: Language,
  { brand, publicUrl }: Frame,
): Wording | null {
  const { written_in, ...text } = texts[language]
  const { title = '', message = '' } = text
  const link = action_url ? `${publicUrl}${action_url}` : undefined
  const values = { ...text, brand, name, link } as unknown as TemplateValues[Template]
  // The frame around the words is in the language that they were written in.
  const frame = written_in === 'ar' || written_in === 'en' ? written_in : language
  const short = composeSms({ title, message, link: link ?? null })
  try {
    return { ...render(template as Template, frame, values), title, message, short }
  } catch {
    return null
  }
}
