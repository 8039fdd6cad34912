import { readMisplaced } from '#shared/churches/misplaced.ts'
import type { Language } from '#shared/language.ts'
import { allNames } from '#web/advisories/reader.server.ts'
import { translator } from '#web/lib/i18n.tsx'
import type { FormError } from '#web/lib/visitor.ts'

/** An error that names two countries, with their names in the user's language. */
export function translatedError(language: Language, error: FormError): FormError {
  const found = error.fields.country_code ? readMisplaced(error.fields.country_code) : null
  if (!found) return error
  const codes = new Map(allNames('en').map(({ code, name }) => [name, code]))
  const names = new Map(allNames(language).map(({ code, name }) => [code, name]))
  const nameOf = (english: string) => names.get(codes.get(english) ?? '') ?? english
  const text = translator(language, 'manageChurches')('point_elsewhere', {
    lies: nameOf(found.lies),
    named: nameOf(found.named),
  })
  return { ...error, fields: { ...error.fields, country_code: text } }
}
