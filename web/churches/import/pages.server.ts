import { localeImports, publishLocaleImport } from '#shared/churches/imports.ts'
import type { ImportPages } from '#web/imports/imports.server.ts'
import { LOCALE_IMPORTS } from './kind.ts'

/** Imports of locales on the server side of the pages. */
export const LOCALE_IMPORT_PAGES: ImportPages = {
  contract: localeImports,
  path: LOCALE_IMPORTS.path,
  settingsOf: (values) => ({
    id_prefix: values.id_prefix ?? '',
    options: {
      missing_words: (values.missing_words ?? '')
        .split(/[,،]/)
        .map((word) => word.trim())
        .filter(Boolean),
      default_country: values.default_country || null,
      title_case_cities: values.title_case_cities === 'on',
      clears_empty: values.clears_empty === 'on',
      new_locales: values.new_locales ?? 'unpublished',
    },
  }),
  actions: {
    async publish(call, id, values) {
      await call(publishLocaleImport, { params: { id }, body: { count: Number(values.count) } })
      return 'published'
    },
  },
  toConfirm: ['publish'],
}
