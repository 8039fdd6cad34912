import { useSearchParams } from 'react-router'
import { inLanguage, LANGUAGE_TAGS } from '#shared/language.ts'
import { changeReminderRule, listReminderRules, type ReminderRule } from '#shared/notifications/reminders.ts'
import { formAction } from '#web/lib/form-action.server.ts'
import { formatNumber } from '#web/lib/format.ts'
import { type Key, useLanguage, useT } from '#web/lib/i18n.tsx'
import { api } from '#web/lib/visitor.ts'
import type { RouteHandle } from '#web/root.tsx'
import { AdminPage, AdminPanel } from '#web/ui/AdminPage.tsx'
import { ButtonLink } from '#web/ui/Button.tsx'
import { Fact, Facts } from '#web/ui/DetailDrawer.tsx'
import { FlashMessage } from '#web/ui/FlashMessage.tsx'
import type { Route } from './+types/RemindersPage'
import styles from './Announcements.module.css'
import { AnnouncementTabs } from './AnnouncementTabs.tsx'
import { REMINDERS } from './paths.ts'
import { RuleForm } from './RuleForm.tsx'
import { type FormValues, formValuesOf, hoursOf, ruleTexts } from './values.ts'

export const handle = { ns: ['announcements', 'forms'] } satisfies RouteHandle

export const loader = ({ context }: Route.LoaderArgs) => api(context)(listReminderRules)

export const action = formAction<{ lists: FormValues }>(
  async (call, { form, text, flash }) => {
    const values = formValuesOf(form)
    await call(changeReminderRule, {
      params: { id: text('rule') },
      body: {
        reminder_offsets: hoursOf(text('reminder_offsets')),
        enabled: values.enabled !== undefined,
        priority: text('priority') as never,
        delivery_methods: (values.delivery_methods ?? []) as never[],
        texts: ruleTexts(values),
        made_from: text('made_from'),
      },
    })
    return flash(REMINDERS, 'rule')
  },
  { onError: async (_error, { form }) => ({ lists: formValuesOf(form) }) },
)

/** Reminder rules. */
export default function RemindersPage({ loaderData: { rules }, actionData }: Route.ComponentProps) {
  const t = useT('announcements')
  const [params] = useSearchParams()
  const openRuleId = actionData?.values.rule ?? params.get('subject')
  return (
    <AdminPage title={t('page_title')}>
      <FlashMessage namespace="announcements" />
      <AnnouncementTabs current="reminders" />
      <div className={styles.stack}>
        <p className={styles.hint}>{t('reminders_hint')}</p>
        {rules.map((rule) => (
          <AdminPanel
            key={rule.id}
            id={rule.id}
            title={t(`rule_${rule.id}` as Key<'announcements'>)}
            end={
              openRuleId !== rule.id && (
                <ButtonLink isSmall to={`${REMINDERS}?subject=${rule.id}#${rule.id}`} preventScrollReset>
                  {t('edit')}
                </ButtonLink>
              )
            }
          >
            {openRuleId === rule.id ? (
              <RuleForm rule={rule} actionData={actionData?.values.rule === rule.id ? actionData : undefined} />
            ) : (
              <RuleFacts rule={rule} />
            )}
          </AdminPanel>
        ))}
      </div>
    </AdminPage>
  )
}

function RuleFacts({ rule }: { rule: ReminderRule }) {
  const t = useT('announcements')
  const tAdmin = useT('admin')
  const language = useLanguage()
  const n = (value: number) => formatNumber(language, value)
  return (
    <div className={styles.in}>
      <Facts>
        <Fact label={t('status')}>
          <span className={rule.enabled ? styles.sent : styles.cancelled}>
            {t(rule.enabled ? 'rule_on' : 'rule_off')}
          </span>
        </Fact>
        <Fact label={t('offsets')}>
          {rule.reminder_offsets.map((hours) => t('hours_before', { count: hours, n: n(hours) })).join(t('comma'))}
        </Fact>
        <Fact label={t('audience')}>
          {rule.recipient_role ? tAdmin(`role_${rule.recipient_role}`) : t('rule_concerned')}
        </Fact>
        <Fact label={t('channels')}>
          {rule.delivery_methods.map((channel) => t(`channel_${channel}`)).join(t('comma'))}
        </Fact>
        <Fact label={t('priority')}>{t(`priority_${rule.priority}`)}</Fact>
        <Fact label={t('section_texts')}>
          <span lang={LANGUAGE_TAGS[language]}>
            <bdi>{inLanguage(rule.texts, language).title}</bdi>
            <br />
            <bdi>{inLanguage(rule.texts, language).message}</bdi>
          </span>
        </Fact>
        <Fact label={t('rule_stats')}>
          {t('rule_counts', { pending: n(rule.pending), sent: n(rule.sent), failed: n(rule.failed) })}
        </Fact>
      </Facts>
    </div>
  )
}
