import { data, Link } from 'react-router'
import { FAQ_CATEGORIES, type FaqRecord, faqEntries } from '#shared/content/faq.ts'
import { DEFAULT_LANGUAGE, directionOf, LANGUAGES } from '#shared/language.ts'
import { textIn } from '#shared/text.ts'
import { bodyFrom, formAction } from '#web/lib/form-action.server.ts'
import { formValuesOf } from '#web/lib/form-result.ts'
import { useLanguage, useT } from '#web/lib/i18n.tsx'
import { isId } from '#web/lib/ids.ts'
import { api, visitorOf } from '#web/lib/visitor.ts'
import type { RouteHandle } from '#web/root.tsx'
import { PageNotice } from '#web/ui/AdminPage.tsx'
import { CheckField } from '#web/ui/CheckField.tsx'
import { SelectField, TextAreaField, TextField } from '#web/ui/Field.tsx'
import { FormPage } from '#web/ui/FormPage.tsx'
import { Note } from '#web/ui/Note.tsx'
import type { Route } from './+types/FaqEntryPage'
import { categoryTitle } from './faq.ts'

const QUESTIONS = '/admin/travel-faq'

export const handle = { ns: ['faq', 'content', 'forms'] } satisfies RouteHandle
export { revalidateAfterConflict as shouldRevalidate } from '#web/lib/form-result.ts'

export async function loader({ context, params: { id } }: Route.LoaderArgs) {
  if (!id) return { faq_entry: null }
  if (!isId(id)) throw data(null, { status: 404 })
  const { faq_entry } = await api(context)(faqEntries.get, { params: { id } })
  return { faq_entry, title: textIn(faq_entry.question, visitorOf(context).language) }
}

export const action = formAction({
  save: async (call, { id, form, flash }) => {
    if (!id) {
      const { faq_entry } = await call(faqEntries.create, { body: bodyFrom(faqEntries.create.body, form) })
      return flash(`${QUESTIONS}/${faq_entry.id}`, 'created')
    }
    await call(faqEntries.update, { params: { id }, body: bodyFrom(faqEntries.update.body, form) })
    return flash(`${QUESTIONS}/${id}`, 'saved')
  },
  delete: async (call, { id, text }) => {
    await call(faqEntries.remove, { params: { id }, body: { made_from: text('made_from') } })
    return `${QUESTIONS}?done=deleted`
  },
})

const NEW = { is_published: 'on' }

/** Creates, edits, publishes and deletes a question of the travel FAQ. */
export default function FaqEntryPage({ loaderData: { faq_entry }, actionData }: Route.ComponentProps) {
  const t = useT('faq')
  const content = useT('content')
  const language = useLanguage()
  return (
    <FormPage
      title={faq_entry ? textIn(faq_entry.question, language) : t('new_question')}
      back={{ to: QUESTIONS, label: t('title') }}
      namespace="faq"
      intro={faq_entry && <Place entry={faq_entry} />}
      values={faq_entry ? formValuesOf(faq_entry) : NEW}
      result={actionData}
      version={faq_entry?.updated_at}
      deletion={
        !faq_entry || faq_entry.referenced_by
          ? null
          : { label: t('delete'), title: t('delete_title'), text: t('delete_text') }
      }
    >
      {(field, values) => (
        <>
          {LANGUAGES.map((lang) => (
            <TextField
              key={lang}
              label={t(`question_${lang}`)}
              lang={lang}
              dir={directionOf(lang)}
              maxLength={200}
              required
              {...field(`question.${lang}`)}
            />
          ))}
          {LANGUAGES.map((lang) => (
            <TextAreaField
              key={lang}
              label={t(`answer_${lang}`)}
              hint={lang === DEFAULT_LANGUAGE && t('answer_hint')}
              lang={lang}
              dir={directionOf(lang)}
              rows={8}
              required
              {...field(`answer.${lang}`)}
            />
          ))}
          <SelectField label={t('category')} required {...field('category')}>
            {FAQ_CATEGORIES.map((category) => (
              <option key={category} value={category}>
                {categoryTitle(content, category)}
              </option>
            ))}
          </SelectField>
          <TextField label={t('position')} hint={t('position_hint')} type="number" min={0} {...field('position')} />
          {!faq_entry && (
            <TextField
              label={t('slug')}
              hint={t('slug_hint')}
              dir="ltr"
              maxLength={80}
              autoComplete="off"
              required
              {...field('slug')}
            />
          )}
          <CheckField label={t('is_published')} name="is_published" defaultChecked={values.is_published === 'on'} />
        </>
      )}
    </FormPage>
  )
}

/** Where visitors find it, and what else refers to it. */
function Place({ entry: { slug, is_published, referenced_by } }: { entry: FaqRecord }) {
  const t = useT('faq')
  const path = `/travel-faq#${slug}`
  const address = <bdi dir="ltr">{path}</bdi>
  return (
    <>
      <p>
        {t('link')} {is_published ? <Link to={path}>{address}</Link> : address}
      </p>
      {referenced_by && (
        <PageNotice>
          <Note title={t(`referenced_by_${referenced_by}`)} />
        </PageNotice>
      )}
    </>
  )
}
