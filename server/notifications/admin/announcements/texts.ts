import type { AnnouncementText } from '#server/db/tables-notifications.ts'
import { LANGUAGES, type Language } from '#shared/language.ts'
import type { AnnouncementBody } from '#shared/notifications/announcements.ts'

type Texts = AnnouncementBody['texts']

export const isWritten = ({ title, message }: { title: string; message: string }) => title !== '' || message !== ''

/** Fills a language without text with the other one's. */
export function bothOf(texts: Texts): Record<Language, AnnouncementText> {
  const [en, ar] = [isWritten(texts.en), isWritten(texts.ar)]
  return {
    en: !en && ar ? { ...texts.ar, written_in: 'ar' } : { ...texts.en },
    ar: !ar && en ? { ...texts.en, written_in: 'en' } : { ...texts.ar },
  }
}

/** The texts as written in each language, without those copied from the other. */
export function writtenOf(texts: Record<Language, AnnouncementText>): Texts {
  const entries = LANGUAGES.map((language) => {
    const { title = '', message = '', written_in } = texts[language] ?? {}
    return [language, written_in ? { title: '', message: '' } : { title, message }]
  })
  return Object.fromEntries(entries) as Texts
}

/** Missing texts by field name: each started language must be complete, and at least one is required. */
export function missingTexts(texts: Texts): Record<string, string> {
  const begun = LANGUAGES.filter((language) => isWritten(texts[language]))
  const problems: Record<string, string> = {}
  for (const language of begun.length > 0 ? begun : (['en'] as const))
    for (const field of ['title', 'message'] as const)
      if (texts[language][field] === '') problems[`texts.${language}.${field}`] = 'This field is required'
  return problems
}
