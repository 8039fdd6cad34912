import { data } from 'react-router'
import { type CaseStatus, changeCase, readCase, splitEntry } from '#shared/assistant/cases.ts'
import { ASSISTANT_LANGUAGES } from '#shared/assistant/languages.ts'
import { nameIn } from '#web/advisories/reader.server.ts'
import { formAction, type Submission } from '#web/lib/form-action.server.ts'
import { resultOf } from '#web/lib/form-result.ts'
import { formatNumber } from '#web/lib/format.ts'
import { useLanguage, useT } from '#web/lib/i18n.tsx'
import { isId } from '#web/lib/ids.ts'
import { api, type CallEndpoint, userOf, visitorOf } from '#web/lib/visitor.ts'
import type { RouteHandle } from '#web/root.tsx'
import { AdminPage, AdminPanel, BackLink } from '#web/ui/AdminPage.tsx'
import { Tag } from '#web/ui/Chip.tsx'
import { FlashMessage } from '#web/ui/FlashMessage.tsx'
import { Note } from '#web/ui/Note.tsx'
import { Time } from '#web/ui/Time.tsx'
import type { Route } from './+types/CasePage'
import { CaseActions } from './CaseActions.tsx'
import styles from './Cases.module.css'
import { CaseTranscript } from './CaseTranscript.tsx'
import { Entries } from './Entries.tsx'
import { HowToReach } from './HowToReach.tsx'
import { CASES } from './paths.ts'
import { type Translated, translateCase } from './translate.server.ts'

export const handle = { ns: ['cases', 'forms'] } satisfies RouteHandle

export async function loader({ context, params, request }: Route.LoaderArgs) {
  if (!isId(params.id)) throw data(null, { status: 404 })
  const { language } = visitorOf(context)
  const page = Number(new URL(request.url).searchParams.get('page')) || 1
  const {
    case: found,
    entries,
    stored_entries,
    numbers,
    can_translate,
  } = await api(context)(readCase, {
    params: { id: params.id },
    query: { page },
  })
  return {
    found,
    entries,
    stored: stored_entries,
    numbers,
    page,
    canTranslate: can_translate,
    place: found.country_code && nameIn(language)(found.country_code),
    language: ASSISTANT_LANGUAGES[found.language],
    maySeeProfile: userOf(context).role === 'admin',
  }
}

/** Changes the status of the case, with the note where the form has one. */
const changeTo =
  (status: CaseStatus) =>
  async (call: CallEndpoint, { id, form, text, flash }: Submission) => {
    await call(changeCase, { params: { id }, body: { status, ...(form.has('note') ? { note: text('note') } : {}) } })
    return flash(`${CASES}/${id}`, status)
  }

export const action = formAction<{ translated: Translated }>({
  translate: translateCase,
  split: async (call, { id, text, flash }) => {
    const entry = text('entry')
    if (!isId(entry)) throw new Response('Bad Request', { status: 400 })
    const { case: made } = await call(splitEntry, { params: { id, entry } })
    return flash(`${CASES}/${made.id}`, 'split')
  },
  open: changeTo('open'),
  taken: changeTo('taken'),
  closed: changeTo('closed'),
})

/** One case: contact details, subject, and assignee. */
export default function CasePage({ loaderData, actionData }: Route.ComponentProps) {
  const t = useT('cases')
  const reader = useLanguage()
  const { found, entries, stored, numbers, page, canTranslate, place, language, maySeeProfile } = loaderData
  const translating = resultOf(actionData, 'translate')
  const splitting = resultOf(actionData, 'split')
  const change = translating || splitting ? undefined : actionData
  return (
    <AdminPage
      title={found.is_group ? t('kind_group') : t(`kind_${found.kind}`)}
      end={<Tag>{t(`status_${found.status}`)}</Tag>}
    >
      <BackLink to={CASES}>{t('back')}</BackLink>
      {!actionData && <FlashMessage namespace="cases" />}
      {found.dangers.length > 0 && (
        <Note kind="error" title={found.dangers.map((danger) => t(`danger_${danger}`)).join(' · ')} />
      )}
      <p className={styles.facts}>
        <bdi dir="ltr">{found.reference}</bdi> · <bdi>{place ?? t('country_unknown')}</bdi> ·{' '}
        <bdi>{language.native_name}</bdi> · {t(`channel_${found.channel}`)} · {t('asked')}{' '}
        <Time value={found.created_at} look="relative" />
      </p>
      {found.is_group && <p className={styles.intro}>{t(numbers > 0 ? 'group_text_numbers' : 'group_text')}</p>}
      <CaseActions found={found} error={change?.error} values={change?.values.note} />
      <div className={styles.parts}>
        {found.entry_count > 0 && (
          <AdminPanel id="entries" title={t('entries_title')} end={formatNumber(reader, found.entry_count)}>
            <Entries
              found={found}
              entries={entries}
              stored={stored}
              numbers={numbers}
              page={page}
              error={splitting?.error && { ...splitting.error, entry: splitting.values.entry ?? '' }}
            />
          </AdminPanel>
        )}
        {!found.is_group && (
          <AdminPanel id="how" title={t('how_title')}>
            <HowToReach found={found} maySeeProfile={maySeeProfile} />
          </AdminPanel>
        )}
        <AdminPanel id="summary" title={t('summary_title')}>
          <Summary found={found} />
        </AdminPanel>
        {!found.is_group && (
          <>
            <AdminPanel id="text" title={t('words_title')}>
              <CaseTranscript
                found={found}
                canTranslate={canTranslate}
                actionData={translating && { translated: translating.translated, notTranslated: translating.error }}
              />
            </AdminPanel>
            <AdminPanel id="sources" title={t('sources_title')}>
              <Sources sources={found.sources} />
            </AdminPanel>
          </>
        )}
      </div>
    </AdminPage>
  )
}

/** In the language of the page, where available. */
function Summary({ found: { summary, summary_ar } }: Pick<Route.ComponentProps['loaderData'], 'found'>) {
  const isArabic = useLanguage() === 'ar' && summary_ar !== null
  return (
    <p className={styles.words} lang={isArabic ? 'ar' : 'en'} dir="auto">
      {isArabic ? summary_ar : summary}
    </p>
  )
}

function Sources({ sources }: { sources: Route.ComponentProps['loaderData']['found']['sources'] }) {
  const t = useT('cases')
  if (sources.length === 0) return <p className={styles.none}>{t('no_sources')}</p>
  return (
    <ol className={styles.sources}>
      {sources.map(({ record, title, url, source }) => (
        <li key={record} dir="auto">
          {url ? <a href={url}>{title}</a> : title}
          {source && <span className={styles.muted}> · {source}</span>}
        </li>
      ))}
    </ol>
  )
}
