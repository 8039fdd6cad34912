import { data } from 'react-router'
import { DISCREET_MODES, type DiscreetMode } from '#shared/churches/discretion.ts'
import { getConsequences, setDiscretion } from '#shared/churches/managed-discretion.ts'
import { nameIn } from '#web/advisories/reader.server.ts'
import { formAction } from '#web/lib/form-action.server.ts'
import { formatNumber, isolated } from '#web/lib/format.ts'
import { useLanguage, useT } from '#web/lib/i18n.tsx'
import { api, visitorOf } from '#web/lib/visitor.ts'
import type { RouteHandle } from '#web/root.tsx'
import { AdminPage, AdminPanel, BackLink } from '#web/ui/AdminPage.tsx'
import { ButtonLink } from '#web/ui/Button.tsx'
import { Buttons } from '#web/ui/Buttons.tsx'
import { TextField } from '#web/ui/Field.tsx'
import { Form, Submit, useProblems } from '#web/ui/Form.tsx'
import { Note } from '#web/ui/Note.tsx'
import { Tabs } from '#web/ui/Tabs.tsx'
import type { Route } from './+types/ShowMorePage'
import styles from './Admin.module.css'
import { DISCRETION, localePath, UUID } from './paths.ts'

export const handle = { ns: ['manageChurches', 'forms'] } satisfies RouteHandle

/** The requested change, from the URL: a country or one church, and the new discretion mode. */
function changeOf(request: Request) {
  const params = new URL(request.url).searchParams
  const country = params.get('country') ?? ''
  const locale = params.get('locale') ?? ''
  if (!/^[A-Z]{2}$/.test(country) && !UUID.test(locale)) throw data(null, { status: 404 })
  return {
    target: UUID.test(locale) ? { locale_id: locale } : { country_code: country },
    mode: DISCREET_MODES.find((mode): mode is DiscreetMode => mode === params.get('mode')) ?? null,
    needsSecond: params.get('second') === 'no' ? false : undefined,
    reason: params.get('reason') ?? '',
  }
}

export async function loader({ context, request }: Route.LoaderArgs) {
  const { target, mode, needsSecond, reason } = changeOf(request)
  const consequences = await api(context)(getConsequences, {
    query: {
      ...target,
      ...(mode ? { discreet_mode: mode } : {}),
      ...(needsSecond === undefined ? {} : { needs_second: 'false' }),
    },
  })
  const { country_code } = consequences
  const place = country_code && nameIn(visitorOf(context).language)(country_code)
  return { ...target, mode, isSecondOff: needsSecond === false, reason, place, consequences }
}

export const action = formAction(async (call, { request, text, flash }) => {
  const { target, mode, needsSecond } = changeOf(request)
  const { request_id } = await call(setDiscretion, {
    body: {
      ...target,
      discreet_mode: mode,
      reason: text('reason'),
      confirm: text('confirm'),
      ...(needsSecond === undefined ? {} : { needs_second: needsSecond }),
    },
  })
  return flash(DISCRETION, request_id ? 'requested' : 'discretion')
})

/** States what would become public, and requires a reason and a typed name. */
export default function ShowMorePage({ loaderData, actionData }: Route.ComponentProps) {
  const t = useT('manageChurches')
  const language = useLanguage()
  const problem = useProblems(actionData?.error)
  const { consequences, place, mode, isSecondOff, reason } = loaderData
  const locale = 'locale_id' in loaderData ? loaderData.locale_id : null
  const name = consequences.locale_name ?? place ?? ''
  const back = locale ? localePath(locale) : DISCRETION
  const count = { count: consequences.locales, n: formatNumber(language, consequences.locales) }
  return (
    <AdminPage title={t('more_title', { name: isolated(name) })}>
      <BackLink to={back}>{t(locale ? 'back_to_locale' : 'back_to_discretion')}</BackLink>
      <div className={styles.stack}>
        {!isSecondOff && (
          <Tabs
            label={t('discreet_mode')}
            tabs={[null, ...DISCREET_MODES.slice(1, -1)].map((choice) => ({
              key: choice ?? 'none',
              label: choice ? t(`mode_${choice}`) : t(locale ? 'mode_as_country' : 'mode_exact'),
              to: `?${locale ? `locale=${locale}` : `country=${consequences.country_code}`}${choice ? `&mode=${choice}` : ''}`,
              isCurrent: choice === mode,
            }))}
          />
        )}
        {consequences.is_loosening ? (
          <>
            <Note kind="error" heading="h2" title={t(consequences.whole > 0 ? 'more_whole' : 'more_part', count)}>
              {isSecondOff && <p>{t('more_second_off')}</p>}
              <p>{t(consequences.needs_second ? 'more_second' : 'more_at_once')}</p>
            </Note>
            <AdminPanel id="confirm" title={t('more_confirm')}>
              <div className={styles.inPanel}>
                <Form error={actionData?.error}>
                  <TextField
                    label={t('reason')}
                    hint={t('more_reason_hint')}
                    name="reason"
                    required
                    maxLength={500}
                    dir="auto"
                    defaultValue={actionData?.values.reason ?? reason}
                    error={problem('reason')}
                  />
                  <TextField
                    label={place ? t('more_type', { name: isolated(place) }) : t('more_type_count', count)}
                    name="confirm"
                    required
                    maxLength={200}
                    dir="auto"
                    autoComplete="off"
                    spellCheck={false}
                    defaultValue={actionData?.values.confirm}
                    error={problem('confirm')}
                  />
                  <Buttons>
                    <Submit look="danger">{t(consequences.needs_second ? 'more_send' : 'more_apply')}</Submit>
                    <ButtonLink to={back}>{t('cancel')}</ButtonLink>
                  </Buttons>
                </Form>
              </div>
            </AdminPanel>
          </>
        ) : (
          <Note title={t('more_nothing')}>
            <p>{t('more_nothing_text')}</p>
          </Note>
        )}
      </div>
    </AdminPage>
  )
}
