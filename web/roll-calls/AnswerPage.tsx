import { data, redirect } from 'react-router'
import { answerByLink, getAnswer } from '#shared/roll-calls/endpoints.ts'
import { CallStrip } from '#web/emergency/CallStrip.tsx'
import { useBrand } from '#web/layouts/Brand.tsx'
import { formAction } from '#web/lib/form-action.server.ts'
import { translator, useT } from '#web/lib/i18n.tsx'
import { attempt, visitorOf } from '#web/lib/visitor.ts'
import type { RouteHandle } from '#web/root.tsx'
import { ButtonLink } from '#web/ui/Button.tsx'
import { LanguageSwitch } from '#web/ui/LanguageSwitch.tsx'
import { Note } from '#web/ui/Note.tsx'
import type { Route } from './+types/AnswerPage'
import styles from './Answer.module.css'
import { answerIn, callOf, chosenIn } from './answer.server.ts'
import { OwnAnswer } from './OwnAnswer.tsx'

// Very small, for a bad network: no menu, no footer and no scripts.
export const handle = { ns: ['rollCallAnswer', 'forms'], plain: true } satisfies RouteHandle

export const headers = () => ({ 'x-robots-tag': 'noindex, nofollow' })

export async function loader({ context, params, request }: Route.LoaderArgs) {
  const { language } = visitorOf(context)
  const title = translator(language, 'rollCallAnswer')('page_title')
  const { done, error } = await attempt(context, (call) => call(getAnswer, { params: { token: params.token } }))
  if (!done) return data({ title, rollCall: null, error, chosen: null, call: null }, { status: error.status })
  // In the user's language, unless another is chosen.
  const { searchParams } = new URL(request.url)
  const hasChosen = searchParams.has('lng') || /(?:^|;\s*)(?:__Host-)?lng=/.test(request.headers.get('cookie') ?? '')
  const chosen = chosenIn(request)
  if (done.language !== language && !hasChosen) {
    searchParams.set('lng', done.language)
    throw redirect(`/answer/${params.token}?${searchParams}`)
  }
  const call = await callOf(context, done.roll_call)
  return data({ title, rollCall: done.roll_call, error: null, chosen, call }, { status: 200 })
}

/** A GET never answers: mail scanners open every link. */
export const action = formAction(async (call, { params: { token = '' }, request, form }) => {
  await call(answerByLink, { params: { token }, body: answerIn(form) })
  const { searchParams } = new URL(request.url)
  searchParams.delete('answer')
  return `/answer/${token}${searchParams.size > 0 ? `?${searchParams}` : ''}`
})

/** Landing page of a roll-call link: three buttons, without sign-in. */
export default function AnswerPage({
  loaderData: { rollCall, error, chosen, call },
  actionData,
}: Route.ComponentProps) {
  return (
    <div className={styles.page}>
      <meta name="robots" content="noindex" />
      <header className={styles.bar}>
        <bdi>{useBrand()}</bdi>
        <LanguageSwitch />
      </header>
      <main id="main">
        {rollCall && (
          <OwnAnswer
            rollCall={rollCall}
            error={actionData?.error}
            isMore={actionData && 'note' in actionData.values}
            chosen={chosen}
            call={call}
          />
        )}
        {error && <Unusable code={error.code} />}
      </main>
    </div>
  )
}

function Unusable({ code }: { code: string }) {
  const t = useT('rollCallAnswer')
  const why = code === 'link_expired' ? 'link_expired' : code === 'link_unknown' ? 'link_unknown' : 'other'
  return (
    <div className={styles.stack}>
      <h1 className={styles.title}>{t('page_title')}</h1>
      <Note
        kind="unknown"
        title={t(`failed_${why}`)}
        action={
          <>
            <ButtonLink to="/dashboard">{t('sign_in')}</ButtonLink>{' '}
            <ButtonLink to="/support">{t('support')}</ButtonLink>
          </>
        }
      >
        <p>{t(`failed_${why}_text`)}</p>
        <p>{t('danger')}</p>
        <CallStrip call={null} />
      </Note>
    </div>
  )
}
