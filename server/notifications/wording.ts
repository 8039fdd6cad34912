import type { Language } from '#shared/language.ts'
import { type Rendered, render, type Template, type TemplateValues } from '../messages/templates.ts'
import type { AnnouncementText } from './announcing.ts'

interface Announced {
  template: string
  texts: Record<Language, AnnouncementText>
  action_url: string | null
}

export interface Wording extends Rendered {
  title: string
  message: string
  link: string | undefined
}

/** An announcement in one language, by every way. The language of its frame is the one it was written in. */
export function wordingOf(
  { template, texts, action_url }: Announced,
  language: Language,
  { brand, publicUrl }: { brand: string; publicUrl: string },
): Wording {
  const { written_in, ...text } = texts[language]
  const link = action_url ? `${publicUrl}${action_url}` : undefined
  const values = { ...text, brand, link } as unknown as TemplateValues[Template]
  const rendered = render(
    template as Template,
    written_in === 'ar' || written_in === 'en' ? written_in : language,
    values,
  )
  return { ...rendered, title: text.title!, message: text.message!, link }
}
