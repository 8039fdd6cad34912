import { useT } from '#web/lib/i18n.tsx'
import type { RouteHandle } from '#web/root.tsx'
import { AdminPage, BackLink } from '#web/ui/AdminPage.tsx'
import { Note } from '#web/ui/Note.tsx'
import type { Route } from './+types/NewRollCallPage'
import { ConfirmStart } from './ConfirmStart.tsx'
import styles from './NewRollCall.module.css'
import { NewRollCallForm } from './NewRollCallForm.tsx'
import { choicesFor, reachOf } from './new-roll-call.server.ts'
import { ROLL_CALLS } from './paths.ts'

export { actOnNew as action } from './new-roll-call.server.ts'

export const handle = { ns: ['rollCalls', 'forms'] } satisfies RouteHandle

export async function loader({ context, request }: Route.LoaderArgs) {
  const choices = await choicesFor(context, new URL(request.url).searchParams.get('advisory'))
  return { choices, reach: await reachOf(context, choices.values) }
}

/** Asks the users concerned whether they are safe. */
export default function NewRollCallPage({ loaderData: { choices, reach }, actionData }: Route.ComponentProps) {
  const t = useT('rollCalls')
  const { entered = choices.values, error, isConfirming } = actionData ?? {}
  const concerned = actionData ? (actionData.reach ?? null) : reach
  return (
    <AdminPage title={t('new')}>
      <BackLink to={ROLL_CALLS}>{t('back')}</BackLink>
      {choices.countries.length + choices.chapters.length === 0 ? (
        <Note title={t('nowhere')}>{t('nowhere_text')}</Note>
      ) : isConfirming && concerned ? (
        <ConfirmStart choices={choices} values={entered} reach={concerned} error={error} />
      ) : (
        <div className={styles.form}>
          <NewRollCallForm
            // Remounted: selected countries move from the lists to the checkboxes.
            key={actionData?.entered?.countries.join() ?? ''}
            choices={choices}
            values={entered}
            recipientCount={concerned?.people ?? null}
            error={error}
          />
        </div>
      )}
    </AdminPage>
  )
}
