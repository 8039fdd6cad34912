import { data, redirect, useSearchParams } from 'react-router'
import { present } from '#shared/assert.ts'
import type { MessageChannel } from '#shared/delivery/kinds.ts'
import { changeSettings, listSettings, resetSetting, sendTestMail } from '#shared/settings/endpoints.ts'
import { SETTING_GROUPS, SETTING_KEYS, type SettingGroup, type SettingKey } from '#shared/settings/list.ts'
import { useT } from '#web/lib/i18n.tsx'
import { api, attempt } from '#web/lib/visitor.ts'
import type { RouteHandle } from '#web/root.tsx'
import { AdminPage, AdminPanel } from '#web/ui/AdminPage.tsx'
import { Form, Submit } from '#web/ui/Form.tsx'
import { Note } from '#web/ui/Note.tsx'
import type { Route } from './+types/SettingsPage'
import { valuesOf } from './form-values.ts'
import { GroupForm, RESET_FORM } from './GroupForm.tsx'
import styles from './Settings.module.css'

export const handle = { ns: ['settings', 'forms'] } satisfies RouteHandle

const GROUPS = Object.keys(SETTING_GROUPS) as SettingGroup[]

export async function loader({ context }: Route.LoaderArgs) {
  return { ...(await api(context)(listSettings)), zones: ['UTC', ...Intl.supportedValuesOf('timeZone')] }
}

export async function action({ request, context }: Route.ActionArgs) {
  const form = await request.formData()
  const group = GROUPS.find((known) => known === form.get('group'))
  const reset = SETTING_KEYS.find((known) => known === form.get('reset'))
  const { error } = await attempt(context, async (call) => {
    if (form.get('intent') === 'test-mail') await call(sendTestMail)
    else if (reset) await call(resetSetting, { params: { key: reset } })
    else await call(changeSettings, { body: { values: group ? valuesOf(group, form) : {} } })
  })
  const section =
    form.get('intent') === 'test-mail'
      ? 'test-mail'
      : (group ?? GROUPS.find((name) => reset && reset in SETTING_GROUPS[name]))
  if (error) return data({ part: section, error, values: formValuesOf(form) }, { status: error.status })
  throw redirect(`/admin/settings?done=${section}#${section}`)
}

function formValuesOf(form: FormData): Record<string, string[]> {
  const values: Record<string, string[]> = {}
  for (const [name, value] of form) if (typeof value === 'string') values[name] = [...(values[name] ?? []), value]
  return values
}

export default function SettingsPage({ loaderData, actionData }: Route.ComponentProps) {
  const t = useT('settings')
  const [params] = useSearchParams()
  const done = actionData ? null : params.get('done')
  const stateOf = (key: SettingKey) =>
    present(
      loaderData.settings.find((state) => state.key === key),
      `the setting ${key}`,
    )
  return (
    <AdminPage title={t('settings_title')}>
      <div className={styles.groups}>
        <Channels unsent={loaderData.unsent_channels} />
        {GROUPS.map((group) => (
          <AdminPanel key={group} id={group} title={t(`group_${group}`)}>
            <div className={styles.panel}>
              {done === group && <Note kind="success" isLive title={t('saved')} />}
              <GroupForm
                // Remounted after saving, to show the stored values.
                key={(Object.keys(SETTING_GROUPS[group]) as SettingKey[]).map((key) => stateOf(key).updated_at).join()}
                group={group}
                stateOf={stateOf}
                organizations={loaderData.organizations}
                zones={loaderData.zones}
                actionData={actionData?.part === group ? actionData : undefined}
              />
            </div>
          </AdminPanel>
        ))}
        <Form id={RESET_FORM} preventScrollReset>
          {null}
        </Form>
        <AdminPanel id="test-mail" title={t('test_mail')}>
          <div className={styles.panel}>
            {done === 'test-mail' &&
              (loaderData.unsent_channels.includes('email') ? (
                <Note kind="unknown" isLive title={t('test_mail_recorded')} />
              ) : (
                <Note kind="success" isLive title={t('test_mail_sent')} />
              ))}
            <Form error={actionData?.part === 'test-mail' ? actionData.error : undefined}>
              <input type="hidden" name="intent" value="test-mail" />
              <p className={styles.about}>{t('test_mail_hint')}</p>
              <div>
                <Submit look="secondary">{t('test_mail_send')}</Submit>
              </div>
            </Form>
          </div>
        </AdminPanel>
      </div>
    </AdminPage>
  )
}

/** Channels without a provider; configured in the deployment, not here. */
function Channels({ unsent }: { unsent: readonly MessageChannel[] }) {
  const t = useT('settings')
  if (unsent.length === 0) return null
  return (
    <AdminPanel id="channels" title={t('channels')}>
      <div className={styles.panel}>
        {unsent.map((channel) => (
          <Note
            key={channel}
            kind={channel === 'email' ? 'error' : 'unknown'}
            title={t(`unsent_${channel}`)}
            heading="h3"
          >
            <p>{t(`unsent_${channel}_text`)}</p>
          </Note>
        ))}
      </div>
    </AdminPanel>
  )
}
