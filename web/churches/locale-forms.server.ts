import { getLocale } from '#shared/churches/endpoints.ts'
import { translator } from '#web/lib/i18n.tsx'
import { isId } from '#web/lib/ids.ts'
import { type api as Api, visitorOf } from '#web/lib/visitor.ts'
import { nameOf } from './row.server.ts'

type Context = Parameters<typeof visitorOf>[0]

/** The church a form is about; null if it does not exist or is not public. */
export async function churchOfForm(
  call: ReturnType<typeof Api>,
  context: Context,
  id: string,
  title: 'correct_title' | 'write_title',
) {
  const { language } = visitorOf(context)
  const t = translator(language, 'churchForms')
  const { locale } = isId(id) ? await call(getLocale, { params: { id } }) : { locale: null }
  return { locale, title: locale ? t(title, { name: nameOf(locale, language) }) : t('gone_title') }
}
