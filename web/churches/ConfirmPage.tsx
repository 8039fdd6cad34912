import { data, useSearchParams } from 'react-router'
import { confirmByLink, getConfirmation } from '#shared/churches/visitors.ts'
import { formAction } from '#web/lib/form-action.server.ts'
import { translator, useT } from '#web/lib/i18n.tsx'
import { attempt, visitorOf } from '#web/lib/visitor.ts'
import type { RouteHandle } from '#web/root.tsx'
import { Breadcrumbs } from '#web/ui/Breadcrumbs.tsx'
import { ButtonLink } from '#web/ui/Button.tsx'
import { Form, Submit } from '#web/ui/Form.tsx'
import { Note } from '#web/ui/Note.tsx'
import { Page } from '#web/ui/Page.tsx'
import type { Route } from './+types/ConfirmPage'
import styles from './Forms.module.css'
import { factsOf } from './facts.server.ts'

export const handle = { ns: ['churchForms', 'forms'] } satisfies RouteHandle

export async function loader({ context, params }: Route.LoaderArgs) {
  const { language } = visitorOf(context)
  const title = translator(language, 'churchForms')('confirm_title')
  const { done, error } = await attempt(context, (call) => call(getConfirmation, { params: { token: params.token } }))
  if (!done) return data({ title, church: null, error }, { status: error.status })
  const { id, name } = done.locale
  return data({ title, church: { id, name, facts: factsOf(done.locale, language) }, error: null }, { status: 200 })
}

export const action = formAction(async (call, { params: { token = '' }, flash }) => {
  await call(confirmByLink, { params: { token } })
  return flash(`/church-locator/confirm/${token}`, 'confirmed')
})

/** Landing page of a link in an email. Mail scanners open links too, so the button performs the action. */
export default function ConfirmPage({ loaderData: { title, church, error }, actionData }: Route.ComponentProps) {
  const t = useT('churchForms')
  const [params] = useSearchParams()
  const isDone = params.has('done') && !actionData
  return (
    <Page width="text">
      <Breadcrumbs />
      <div className={styles.page}>
        <h1>{title}</h1>
        {error && <Unusable code={error.code} />}
        {church && isDone && (
          <Note
            kind="success"
            isLive
            title={t('confirm_done', { name: church.name })}
            action={<ButtonLink to={`/church-locator/${church.id}`}>{t('to_church')}</ButtonLink>}
          >
            <p>{t('confirm_done_text')}</p>
          </Note>
        )}
        {church && !isDone && (
          <>
            <p>{t('confirm_text', { name: church.name })}</p>
            <dl className={styles.facts}>
              {church.facts.map(({ label, lines }) => (
                <div key={label}>
                  <dt>{t(label)}</dt>
                  <dd>
                    {lines.length === 0 && t('fact_none')}
                    {lines.map((line) => (
                      <div key={line}>
                        <bdi>{line}</bdi>
                      </div>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
            <Form error={actionData?.error}>
              <Submit className={styles.big} busyLabel={t('sending')}>
                {t('confirm_button')}
              </Submit>
            </Form>
            <div className={styles.wrong}>
              <ButtonLink to={`/church-locator/${church.id}/correct`}>{t('confirm_wrong')}</ButtonLink>
            </div>
          </>
        )}
      </div>
    </Page>
  )
}

function Unusable({ code }: { code: string }) {
  const t = useT('churchForms')
  const why = code === 'link_expired' ? 'over' : code === 'no_locale' ? 'gone' : 'unknown'
  return (
    <Note
      kind="unknown"
      title={t(`confirm_${why}`)}
      action={
        <>
          <ButtonLink to="/admin/my-churches">{t('my_churches')}</ButtonLink>{' '}
          <ButtonLink to="/support">{t('support')}</ButtonLink>
        </>
      }
    >
      <p>{t(`confirm_${why}_text`)}</p>
    </Note>
  )
}
