import { data, useSearchParams } from 'react-router'
import { changeSettings, listSettings, resetSetting, sendTestMail } from '#shared/settings/endpoints.ts'
import { groupOf, keysOf, SETTING_GROUPS, SETTING_KEYS, type SettingGroup } from '#shared/settings/list.ts'
import { formAction } from '#web/lib/form-action.server.ts'
import { useT } from '#web/lib/i18n.tsx'
import { api } from '#web/lib/visitor.ts'
import type { RouteHandle } from '#web/root.tsx'
import { AdminPage, AdminPanel } from '#web/ui/AdminPage.tsx'
import { Note } from '#web/ui/Note.tsx'
import type { Route } from './+types/SettingsPage'
import { Connections } from './Connections.tsx'
import { type FormLists, readValues, valuesOf } from './form-values.ts'
import { GroupForm } from './GroupForm.tsx'
import styles from './Settings.module.css'
import { SettingsIndex } from './SettingsIndex.tsx'

export const handle = { ns: ['settings', 'forms'] } satisfies RouteHandle
export { revalidateAfterConflict as shouldRevalidate } from '#web/lib/form-result.ts'

const FIRST: SettingGroup = 'brand'

export async function loader({ context, params, request }: Route.LoaderArgs) {
  const part = partOf(params.group ?? FIRST)
  if (!part) throw data(null, { status: 404 })
  const zones = ['UTC', ...Intl.supportedValuesOf('timeZone')]
  const search = new URL(request.url).searchParams.get('search')?.trim() ?? ''
  return { ...(await api(context)(listSettings)), part, search, zones: part === 'time' ? zones : [] }
}

export const action = formAction<{ lists: FormLists }>(
  async (call, { form, text, params, flash }) => {
    const part = partOf(params.group ?? FIRST)
    if (!part) throw new Response('Bad Request', { status: 400 })
    const reset = SETTING_KEYS.find((known) => known === text('reset'))
    if (part === 'connections') await call(sendTestMail)
    else if (reset) await call(resetSetting, { params: { key: reset } })
    else await call(changeSettings, { body: { values: valuesOf(part, form), was: readValues(part, form) } })
    return flash(`/admin/settings/${reset ? groupOf(reset) : part}`, 'saved')
  },
  { onError: async (_error, { form }) => ({ lists: listsIn(form) }) },
)

/** A group of settings, or the connections to providers. */
function partOf(name: string): SettingGroup | 'connections' | undefined {
  if (name === 'connections') return name
  return (Object.keys(SETTING_GROUPS) as SettingGroup[]).find((group) => group === name)
}

function listsIn(form: FormData): FormLists {
  const values: FormLists = {}
  for (const [name, value] of form) if (typeof value === 'string') values[name] = [...(values[name] ?? []), value]
  return values
}

/** One group of settings on a page, saved together; an index of all beside it. */
export default function SettingsPage({ loaderData, actionData }: Route.ComponentProps) {
  const t = useT('settings')
  const [params] = useSearchParams()
  const { part, settings, search, unsent_channels, organizations, zones } = loaderData
  const isDone = !actionData && params.get('done') === 'saved'
  return (
    <AdminPage title={t('settings_title')} end={<span className={styles.about}>{t('takes_effect')}</span>}>
      <div className={styles.layout}>
        <SettingsIndex current={part} settings={settings} search={search} />
        <div className={styles.group}>
          {part === 'connections' ? (
            <Connections unsent={unsent_channels} error={actionData?.error} isDone={isDone} />
          ) : (
            <AdminPanel id={part} title={t(`group_${part}`)}>
              {isDone && (
                <div className={styles.panel}>
                  <Note kind="success" isLive title={t('saved')} />
                </div>
              )}
              <GroupForm
                // Remounted after saving, to show the stored values.
                key={keysOf(part)
                  .map((key) => settings.find((state) => state.key === key)?.updated_at)
                  .join()}
                group={part}
                settings={settings.filter(({ key }) => groupOf(key) === part)}
                choices={{ organizations, zones }}
                actionData={actionData}
              />
            </AdminPanel>
          )}
        </div>
      </div>
    </AdminPage>
  )
}
