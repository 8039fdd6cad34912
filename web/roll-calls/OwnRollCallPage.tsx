import { data } from 'react-router'
import { answerOwnRollCall, getOwnRollCall } from '#shared/roll-calls/endpoints.ts'
import { formAction } from '#web/lib/form-action.server.ts'
import { useT } from '#web/lib/i18n.tsx'
import { isId } from '#web/lib/ids.ts'
import { api } from '#web/lib/visitor.ts'
import type { RouteHandle } from '#web/root.tsx'
import { ButtonLink } from '#web/ui/Button.tsx'
import { Page } from '#web/ui/Page.tsx'
import type { Route } from './+types/OwnRollCallPage'
import styles from './Answer.module.css'
import { answerIn, callOf, chosenIn } from './answer.server.ts'
import { OwnAnswer } from './OwnAnswer.tsx'

export const handle = { ns: ['rollCallAnswer', 'forms'] } satisfies RouteHandle

export async function loader({ context, params, request }: Route.LoaderArgs) {
  if (!isId(params.id)) throw data(null, { status: 404 })
  const rollCall = await api(context)(getOwnRollCall, { params: { id: params.id } })
  const call = await callOf(context, rollCall)
  return { title: rollCall.title, rollCall, chosen: chosenIn(request), call }
}

export const action = formAction(async (call, { id, form }) => {
  await call(answerOwnRollCall, { params: { id }, body: answerIn(form) })
  return `/dashboard/roll-calls/${id}`
})

/** A roll call for the signed-in user: the same as by the link in a message. */
export default function OwnRollCallPage({ loaderData: { rollCall, chosen, call }, actionData }: Route.ComponentProps) {
  const t = useT('rollCallAnswer')
  return (
    <Page width="form" className={styles.own}>
      <OwnAnswer
        rollCall={rollCall}
        error={actionData?.error}
        isMore={actionData && 'note' in actionData.values}
        chosen={chosen}
        call={call}
      />
      <p>
        <ButtonLink to="/dashboard" look="link">
          {t('back')}
        </ButtonLink>
      </p>
    </Page>
  )
}
