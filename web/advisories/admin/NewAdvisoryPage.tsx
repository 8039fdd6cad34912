import { UnsentCopy } from '#web/compose/UnsentCopy.tsx'
import { useAnswer } from '#web/compose/useAnswer.ts'
import { useT } from '#web/lib/i18n.tsx'
import { api, visitorOf } from '#web/lib/visitor.ts'
import type { RouteHandle } from '#web/root.tsx'
import { AdminPage, BackLink } from '#web/ui/AdminPage.tsx'
import { Note } from '#web/ui/Note.tsx'
import type { Route } from './+types/NewAdvisoryPage'
import { EntryEditor } from './EntryEditor.tsx'
import { choicesFor } from './entry.server.ts'
import { NOTHING_WRITTEN } from './entry-values.ts'
import { MANAGE } from './paths.ts'

export { actOnEntry as action } from './entry.server.ts'

export const handle = { ns: ['manage', 'compose', 'advisory', 'advisories', 'forms'] } satisfies RouteHandle
export { whenChanged as shouldRevalidate } from './revalidation.ts'

export async function loader({ context }: Route.LoaderArgs) {
  const choices = await choicesFor(api(context), visitorOf(context).language)
  return { choices, key: crypto.randomUUID() }
}

export default function NewAdvisoryPage({ loaderData: { choices, key }, actionData: answer }: Route.ComponentProps) {
  const actionData = useAnswer(answer)
  const t = useT('manage')
  const tCompose = useT('compose')
  const [first] = choices.writable
  if (!first)
    return (
      <AdminPage title={t('new')}>
        <Note title={t('no_writable_source')} />
      </AdminPage>
    )
  return (
    <AdminPage title={tCompose('new_message')}>
      <BackLink to={MANAGE}>{t('back_to_list')}</BackLink>
      <UnsentCopy isShown={actionData === undefined} />
      <EntryEditor
        // Remounted with what another kind of message had.
        key={
          actionData?.intent === 'switch' || actionData?.intent === 'resume' ? JSON.stringify(actionData.entered) : ''
        }
        answer={actionData}
        choices={choices}
        sendKey={actionData?.values.key || key}
        initialValues={{ ...NOTHING_WRITTEN, source_id: first.id, language: 'en' }}
      />
    </AdminPage>
  )
}
