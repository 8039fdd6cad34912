import { data, useSearchParams } from 'react-router'
import { isLooser } from '#shared/churches/discretion.ts'
import { type AdminLocale, getManagedLocale } from '#shared/churches/managed-locale.ts'
import { nameIn } from '#web/advisories/reader.server.ts'
import { EntryList } from '#web/audit/EntryList.tsx'
import { readableEntries } from '#web/audit/entries.server.ts'
import { isStale, resultOf } from '#web/lib/form-result.ts'
import { useT } from '#web/lib/i18n.tsx'
import { api, visitorOf } from '#web/lib/visitor.ts'
import type { RouteHandle } from '#web/root.tsx'
import { AdminPage, AdminPanel, BackLink } from '#web/ui/AdminPage.tsx'
import { Button, ButtonLink } from '#web/ui/Button.tsx'
import { DeleteConfirmation } from '#web/ui/DeleteConfirmation.tsx'
import { FlashMessage } from '#web/ui/FlashMessage.tsx'
import { Form } from '#web/ui/Form.tsx'
import { Note } from '#web/ui/Note.tsx'
import { StaleNotice } from '#web/ui/StaleNotice.tsx'
import { Time } from '#web/ui/Time.tsx'
import type { Route } from './+types/EditLocalePage'
import styles from './Admin.module.css'
import { localeChoices } from './choices.server.ts'
import { LocaleForm } from './LocaleForm.tsx'
import { PhotosSection } from './PhotosSection.tsx'
import { PublicPreview } from './PublicPreview.tsx'
import { DISCRETION, LOCALES, localePath, UUID } from './paths.ts'
import { SchedulesSection } from './SchedulesSection.tsx'
import { ServantsSection } from './ServantsSection.tsx'
import { valuesOf } from './values.ts'

export const handle = { ns: ['manageChurches', 'forms', 'users'] } satisfies RouteHandle
export { revalidateAfterConflict as shouldRevalidate } from '#web/lib/form-result.ts'
export { actOnLocale as action } from './locale.server.ts'

export async function loader({ context, params }: Route.LoaderArgs) {
  if (!UUID.test(params.id)) throw data(null, { status: 404 })
  const call = api(context)
  const found = await call(getManagedLocale, { params: { id: params.id } })
  const { language } = visitorOf(context)
  const lies = found.locale.located_in && nameIn(language)(found.locale.located_in)
  return {
    ...found,
    history: readableEntries(language, found.history),
    lies,
    title: found.locale.name,
    choices: await localeChoices(call, language),
  }
}

/** Sections with a list show their messages themselves. */
const isOfPage = (done: string) => !/^(servant|schedule|photo)/.test(done)

export default function EditLocalePage({ loaderData, actionData }: Route.ComponentProps) {
  const t = useT('manageChurches')
  const [params] = useSearchParams()
  const { locale, lies, servants, schedules, photos, shown, previews, history, choices } = loaderData
  const seen = history[0]?.id ?? 0
  const hasConflict = isStale(actionData)
  const newer = history.filter(({ id }) => id > Number(actionData?.values.seen ?? 0))
  const removing = resultOf(actionData, 'delete', '')
  return (
    <AdminPage title={<bdi>{locale.name}</bdi>} end={<Confirmed locale={locale} isShown={shown !== null} />}>
      <BackLink to={LOCALES}>{t('back_to_locales')}</BackLink>
      <FlashMessage namespace="manageChurches" isFor={isOfPage} />
      {hasConflict && (
        <StaleNotice to={localePath(locale.id)}>{newer.length > 0 && <EntryList entries={newer} />}</StaleNotice>
      )}
      {params.get('action') === 'delete' || removing ? (
        <DeleteConfirmation
          title={t('delete_locale_title')}
          text={t('delete_locale_text')}
          fields={{ made_from: locale.updated_at }}
          cancelTo={localePath(locale.id)}
          asksReason
          error={hasConflict ? undefined : removing?.error}
        />
      ) : null}
      <div className={styles.columns}>
        <div className={styles.main}>
          <LocaleForm
            intent="save"
            values={valuesOf(locale)}
            locale={locale}
            choices={choices}
            actionData={actionData}
            seen={seen}
          />
          <ServantsSection servants={servants} accounts={choices.accounts} actionData={actionData} />
          <SchedulesSection schedules={schedules} hasTimeZone={locale.timezone !== null} actionData={actionData} />
          <PhotosSection photos={photos} actionData={actionData} />
        </div>
        <div className={styles.aside}>
          <WhyLess locale={locale} lies={lies} />
          <PublicPreview shown={shown} previews={previews} />
          {shown?.discreet_mode !== 'exact' && (
            <p>
              <ButtonLink look="link" to={`${DISCRETION}/more?locale=${locale.id}`}>
                {t('more_of_church')}
              </ButtonLink>
            </p>
          )}
          <AdminPanel id="history" title={t('history')}>
            <div className={styles.inPanel}>
              <EntryList entries={history} />
            </div>
          </AdminPanel>
          {params.get('action') !== 'delete' && (
            <p>
              <ButtonLink look="link" to="?action=delete">
                {t('delete_locale')}
              </ButtonLink>
            </p>
          )}
        </div>
      </div>
    </AdminPage>
  )
}

/** Why the public sees less than the country's rule allows, where it does. */
function WhyLess({ locale, lies }: { locale: AdminLocale; lies: string | null }) {
  const t = useT('manageChurches')
  if (!isLooser(locale.mode, locale.discreet_mode ?? locale.country_mode ?? 'exact')) return null
  return (
    <Note title={lies ? t('lies_in', { country: lies }) : t('lies_anywhere')}>
      <p>{t(lies ? 'lies_in_text' : 'lies_anywhere_text')}</p>
    </Note>
  )
}

/** When the record was last confirmed, and the button to confirm it now. */
function Confirmed({ locale, isShown }: { locale: AdminLocale; isShown: boolean }) {
  const t = useT('manageChurches')
  return (
    <>
      {locale.confirmed_at ? (
        <span>
          {t('confirmed_at')}: <Time value={locale.confirmed_at} look="day" />{' '}
          {locale.confirmed_by && <bdi>({locale.confirmed_by})</bdi>}
        </span>
      ) : (
        <span>{t('never_confirmed')}</span>
      )}
      <Form action={localePath(locale.id)}>
        <Button type="submit" isSmall name="intent" value="confirm">
          {t('confirm')}
        </Button>
      </Form>
      {isShown && (
        <ButtonLink isSmall to={`/church-locator/${locale.id}`} icon="external" target="_blank">
          {t('public_page')}
        </ButtonLink>
      )}
    </>
  )
}
