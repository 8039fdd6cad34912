import { data, Link, useSearchParams } from 'react-router'
import { getChapter, listChapterChoices } from '#shared/churches/chapters.ts'
import { isAdmin } from '#shared/roles.ts'
import { EntryList } from '#web/audit/EntryList.tsx'
import { readableEntries } from '#web/audit/entries.server.ts'
import { isStale, resultOf } from '#web/lib/form-result.ts'
import { formatNumber } from '#web/lib/format.ts'
import { useLanguage, useT } from '#web/lib/i18n.tsx'
import { api, visitorOf } from '#web/lib/visitor.ts'
import type { RouteHandle } from '#web/root.tsx'
import { AdminPage, AdminPanel, BackLink } from '#web/ui/AdminPage.tsx'
import { Button, ButtonLink } from '#web/ui/Button.tsx'
import { Buttons } from '#web/ui/Buttons.tsx'
import { DeleteConfirmation } from '#web/ui/DeleteConfirmation.tsx'
import { FlashMessage } from '#web/ui/FlashMessage.tsx'
import { Form } from '#web/ui/Form.tsx'
import { Note } from '#web/ui/Note.tsx'
import { StaleNotice } from '#web/ui/StaleNotice.tsx'
import type { Route } from './+types/ChapterPage'
import styles from './Admin.module.css'
import { ChapterForm } from './ChapterForm.tsx'
import { countriesIn } from './choices.server.ts'
import { CHAPTERS, chapterPath, LOCALES, UUID } from './paths.ts'
import { valuesOf } from './values.ts'

export const handle = { ns: ['manageChurches', 'forms', 'users'] } satisfies RouteHandle
export { revalidateAfterConflict as shouldRevalidate } from '#web/lib/form-result.ts'
export { actOnChapter as action } from './chapter.server.ts'

export async function loader({ context, params }: Route.LoaderArgs) {
  if (!UUID.test(params.id)) throw data(null, { status: 404 })
  const { language, user } = visitorOf(context)
  const call = api(context)
  const { chapter, history, ...around } = await call(getChapter, { params: { id: params.id } })
  if (!chapter) throw data({ error: 'Chapter not found', code: 'chapter_not_found' }, { status: 404 })
  const { coordinators } = await call(listChapterChoices)
  return {
    ...around,
    history: readableEntries(language, history),
    chapter,
    title: chapter.chapter_name,
    coordinators,
    countries: countriesIn(language),
    isWhole: isAdmin(user?.role ?? null),
  }
}

export default function ChapterPage({ loaderData, actionData }: Route.ComponentProps) {
  const t = useT('manageChurches')
  const [params] = useSearchParams()
  const { chapter, members, locales, history, coordinators, countries, isWhole } = loaderData
  const to = chapterPath(chapter.id)
  const hasConflict = isStale(actionData)
  const newer = history.filter(({ id }) => id > Number(actionData?.values.seen ?? 0))
  const removing = resultOf(actionData, 'delete', '')
  return (
    <AdminPage title={<bdi>{chapter.chapter_name}</bdi>}>
      <BackLink to={CHAPTERS}>{t('back_to_chapters')}</BackLink>
      <FlashMessage namespace="manageChurches" />
      {hasConflict && <StaleNotice to={to}>{newer.length > 0 && <EntryList entries={newer} />}</StaleNotice>}
      {(params.get('action') === 'delete' || removing) && isWhole && (
        <DeleteConfirmation
          title={t('delete_chapter_title')}
          text={t('delete_chapter_text')}
          fields={{ made_from: chapter.updated_at }}
          cancelTo={to}
          asksReason
          error={hasConflict ? undefined : removing?.error}
        />
      )}
      <div className={styles.columns}>
        <div className={styles.main}>
          {!isWhole && <Note title={t('chapter_care')} />}
          <ChapterForm
            intent="save"
            values={valuesOf(chapter)}
            chapter={chapter}
            isWhole={isWhole}
            coordinators={coordinators}
            countries={countries}
            actionData={actionData}
            seen={history[0]?.id ?? 0}
          />
        </div>
        <div className={styles.aside}>
          <TravelersPanel chapter={chapter} hasFailed={resultOf(actionData, 'travelers', '') !== undefined} />
          <AroundPanel chapter={chapter} members={members} locales={locales} isWhole={isWhole} />
          {isWhole && (
            <AdminPanel id="history" title={t('history')}>
              <div className={styles.inPanel}>
                <EntryList entries={history} />
              </div>
            </AdminPanel>
          )}
          {isWhole && params.get('action') !== 'delete' && (
            <p>
              <ButtonLink look="link" to="?action=delete">
                {t('delete_chapter')}
              </ButtonLink>
            </p>
          )}
        </div>
      </div>
    </AdminPage>
  )
}

type Data = Route.ComponentProps['loaderData']

function TravelersPanel({ chapter, hasFailed }: Pick<Data, 'chapter'> & { hasFailed: boolean }) {
  const t = useT('manageChurches')
  const language = useLanguage()
  return (
    <AdminPanel id="travelers" title={t('active_travelers_count')}>
      <div className={styles.inPanel}>
        {hasFailed && <Note kind="error" isLive title={t('travelers_failed')} />}
        <Form action={chapterPath(chapter.id)}>
          <input type="hidden" name="intent" value="travelers" />
          <div className={styles.counter}>
            <b>{formatNumber(language, chapter.active_travelers_count)}</b>
            <Buttons>
              <Button type="submit" isSmall name="change" value="more">
                {t('traveler_came')}
              </Button>
              <Button type="submit" isSmall name="change" value="less">
                {t('traveler_left')}
              </Button>
            </Buttons>
          </div>
        </Form>
      </div>
    </AdminPanel>
  )
}

function AroundPanel({
  chapter,
  members,
  locales,
  isWhole,
}: Pick<Data, 'chapter' | 'members' | 'locales' | 'isWhole'>) {
  const t = useT('manageChurches')
  const language = useLanguage()
  const count = t('locales_count', { count: locales, n: formatNumber(language, locales) })
  return (
    <AdminPanel id="around" title={t('around')}>
      <ul className={styles.rows}>
        <li>{t('members_count', { count: members, n: formatNumber(language, members) })}</li>
        <li>{isWhole ? <Link to={`${LOCALES}?chapter=${chapter.id}`}>{count}</Link> : count}</li>
      </ul>
    </AdminPanel>
  )
}
