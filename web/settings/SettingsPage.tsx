import { useSearchParams } from 'react-router'
import { present } from '#shared/assert.ts'
import type { MessageChannel } from '#shared/delivery/kinds.ts'
import { changeSettings, listSettings, resetSetting, sendTestMail } from '#shared/settings/endpoints.ts'
import { SETTING_GROUPS, SETTING_KEYS, type SettingGroup, type SettingKey } from '#shared/settings/list.ts'
import { formAction } from '#web/lib/form-action.server.ts'
import { useT } from '#web/lib/i18n.tsx'
import { api } from '#web/lib/visitor.ts'
import type { RouteHandle } from '#web/root.tsx'
import { AdminPage, AdminPanel } from '#web/ui/AdminPage.tsx'
import { Form, Submit } from '#web/ui/Form.tsx'
import { Note } from '#web/ui/Note.tsx'
import type { Route } from './+types/SettingsPage'
import { type FormLists, valuesOf } from './form-values.ts'
import { GroupForm, RESET_FORM } from './GroupForm.tsx'
import styles from './Settings.module.css'

export const handle = { ns: ['settings', 'forms'] } satisfies RouteHandle

const GROUPS = Object.keys(SETTING_GROUPS) as SettingGroup[]

export async function loader({ context }: Route.LoaderArgs) {
  return { ...(await api(context)(listSettings)), zones: ['UTC', ...Intl.supportedValuesOf('timeZone')] }
}

export const action = formAction<{ part: Part; lists: FormLists }>(
  async (call, { form, text, flash }) => {
    const part = partOf(text)
    const reset = resetOf(text)
    if (!part) throw new Response('Bad Request', { status: 400 })
    if (part === 'test-mail') await call(sendTestMail)
    else if (reset) await call(resetSetting, { params: { key: reset } })
    else await call(changeSettings, { body: { values: valuesOf(part, form) } })
    return flash(`/admin/settings#${part}`, part)
  },
  { onError: async (_error, { form, text }) => ({ part: partOf(text), lists: listsIn(form) }) },
)

type Part = SettingGroup | 'test-mail' | undefined

/** The part of the page that a form belongs to. */
function partOf(text: (name: string) => string): Part {
  if (text('intent') === 'test-mail') return 'test-mail'
  const reset = resetOf(text)
  return GROUPS.find((name) => (reset ? reset in SETTING_GROUPS[name] : name === text('group')))
}

const resetOf = (text: (name: string) => string) => SETTING_KEYS.find((known) => known === text('reset'))

function listsIn(form: FormData): FormLists {
  const values: FormLists = {}
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
