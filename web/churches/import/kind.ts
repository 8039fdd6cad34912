import { IMPORT_FIELDS } from '#shared/churches/import-fields.ts'
import type { ImportKind } from '#web/imports/kind.ts'

/** Imports of locales on the pages. */
export const LOCALE_IMPORTS: ImportKind = {
  namespace: 'importChurches',
  path: '/admin/locales/import',
  recordsPath: '/admin/locales',
  apiPath: '/locale-imports',
  record: 'locale',
  fields: IMPORT_FIELDS,
  done: ['published'],
  // The country in which a point lies.
  problemValue: ({ code, value }, language) =>
    code === 'point_elsewhere' && value
      ? (new Intl.DisplayNames(language, { type: 'region', fallback: 'code' }).of(value) ?? value)
      : (value ?? ''),
}
