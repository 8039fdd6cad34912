import { UnsentCopy } from '#web/compose/UnsentCopy.tsx'
import { useAnswer } from '#web/compose/useAnswer.ts'
import { useT } from '#web/lib/i18n.tsx'
import type { RouteHandle } from '#web/root.tsx'
import { AdminPage, BackLink } from '#web/ui/AdminPage.tsx'
import { Note } from '#web/ui/Note.tsx'
import type { Route } from './+types/NewRollCallPage'
import { ConfirmStart } from './ConfirmStart.tsx'
import { NewRollCallForm } from './NewRollCallForm.tsx'
import { choicesFor, countedOf } from './new-roll-call.server.ts'
import { ROLL_CALLS } from './paths.ts'

export { revalidateUnlessCounting as shouldRevalidate } from '#web/compose/revalidation.ts'
export { actOnNew as action } from './new-roll-call.server.ts'

export const handle = { ns: ['rollCalls', 'compose', 'forms'] } satisfies RouteHandle

export async function loader({ context, request }: Route.LoaderArgs) {
  const choices = await choicesFor(context, new URL(request.url).searchParams.get('advisory'))
  return { choices, counted: await countedOf(context, choices.values) }
}

/** Asks the users concerned whether they are safe. */
export default function NewRollCallPage({ loaderData, actionData: answer }: Route.ComponentProps) {
  const { choices, counted: initial } = loaderData
  const actionData = useAnswer(answer)
  const t = useT('rollCalls')
  const tCompose = useT('compose')
  const { entered = choices.values, error, isConfirming, before } = actionData ?? {}
  const counted = actionData ? (actionData.counted ?? null) : initial
  return (
    <AdminPage title={tCompose('new_message')}>
      <BackLink to={ROLL_CALLS}>{t('back')}</BackLink>
      {choices.countries.length + choices.chapters.length === 0 ? (
        <Note title={t('nowhere')}>{t('nowhere_text')}</Note>
      ) : (
        <>
          {isConfirming && counted && (
            <ConfirmStart
              choices={choices}
              values={entered}
              counted={counted}
              before={before ?? counted.estimate.chosen}
              error={error}
            />
          )}
          <UnsentCopy isShown={actionData === undefined} />
          <NewRollCallForm
            // Remounted with the values of an answer.
            key={actionData?.entered ? JSON.stringify(actionData.entered) : ''}
            choices={choices}
            values={entered}
            counted={counted}
            error={isConfirming ? undefined : error}
            isUnsaved={actionData !== undefined}
            isSearching={actionData?.intent === 'add'}
          />
        </>
      )}
    </AdminPage>
  )
}
