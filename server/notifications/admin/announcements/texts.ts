import { LANGUAGES, type Language } from '#shared/language.ts'
import type { AnnouncementBody } from '#shared/notifications/announcements.ts'
import type { AnnouncementText } from '../../announcements/create.ts'

type Texts = AnnouncementBody['texts']

export const isWritten = ({ title, message }: { title: string; message: string }) => title !== '' || message !== ''

/** Who reads a language in which nothing was written is told in the other. */
export function bothOf(texts: Texts): Record<Language, AnnouncementText> {
  const [en, ar] = [isWritten(texts.en), isWritten(texts.ar)]
  return {
    en: !en && ar ? { ...texts.ar, written_in: 'ar' } : { ...texts.en },
    ar: !ar && en ? { ...texts.en, written_in: 'en' } : { ...texts.ar },
  }
}

/** What was written in each language, without what it borrows from the other. */
export function writtenOf(texts: Record<Language, AnnouncementText>): Texts {
  const entries = LANGUAGES.map((language) => {
    const { title = '', message = '', written_in } = texts[language] ?? {}
    return [language, written_in ? { title: '', message: '' } : { title, message }]
  })
  return Object.fromEntries(entries) as Texts
}

/** What is missing, by the names of the fields: each language that was begun is whole, and one is there at least. */
export function missingTexts(texts: Texts): Record<string, string> {
  const begun = LANGUAGES.filter((language) => isWritten(texts[language]))
  const problems: Record<string, string> = {}
  for (const language of begun.length > 0 ? begun : (['en'] as const))
    for (const field of ['title', 'message'] as const)
      if (texts[language][field] === '') problems[`texts.${language}.${field}`] = 'This field is required'
  return problems
}
