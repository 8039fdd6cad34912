import type { AnnouncementText } from '#server/db/tables-notifications.ts'
import { LANGUAGES, type Language, type Localized, languageOf } from '#shared/language.ts'
import type { AnnouncementBody } from '#shared/notifications/announcements.ts'

type Texts = AnnouncementBody['texts']
interface Text {
  title: string
  message: string
}

export const isWritten = (text: Text | undefined) => text !== undefined && (text.title !== '' || text.message !== '')

/** The written texts, always with English: where it is missing, a copy of the first other one. */
export function storedTexts(texts: Texts): Localized<AnnouncementText> {
  const written = LANGUAGES.filter((language) => isWritten(texts[language]))
  const [first] = written
  const own = Object.fromEntries(written.map((language) => [language, { ...texts[language] }]))
  const en = first && first !== 'en' ? { ...texts[first], written_in: first } : { ...texts.en }
  return { ...own, en } as Localized<AnnouncementText>
}

/** The texts as written in each language; empty where nothing was. */
export function writtenOf(texts: Localized<AnnouncementText>): Record<Language, Text> {
  const entries = LANGUAGES.map((language) => {
    const { title = '', message = '' } = (writtenIn(texts, language) === language && texts[language]) || {}
    return [language, { title, message }]
  })
  return Object.fromEntries(entries) as Record<Language, Text>
}

/** Missing texts by field name: each started language must be complete, and at least one is required. */
export function missingTexts(texts: Record<Language, Text>): Record<string, string> {
  const begun = LANGUAGES.filter((language) => isWritten(texts[language]))
  const problems: Record<string, string> = {}
  for (const language of begun.length > 0 ? begun : (['en'] as const))
    for (const field of ['title', 'message'] as const)
      if (texts[language][field] === '') problems[`texts.${language}.${field}`] = 'This field is required'
  return problems
}

/** The language of the text that a reader of `language` gets. */
export const writtenIn = (texts: Localized<AnnouncementText>, language: Language): Language =>
  languageOf((texts[language] ?? texts.en).written_in) ?? (texts[language] ? language : 'en')
