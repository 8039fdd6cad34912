import { useParams } from 'react-router'
import type { ManagedSchedule } from '#shared/churches/managed-schedules.ts'
import { endsNextDay, SERVICE_TYPES } from '#shared/churches/schedule.ts'
import { type FormValues, resultOf } from '#web/lib/form-result.ts'
import { useLanguage, useT } from '#web/lib/i18n.tsx'
import { AdminPanel } from '#web/ui/AdminPage.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Buttons } from '#web/ui/Buttons.tsx'
import { CheckField } from '#web/ui/CheckField.tsx'
import { SelectField, TextField } from '#web/ui/Field.tsx'
import { FlashMessage } from '#web/ui/FlashMessage.tsx'
import { Fold } from '#web/ui/Fold.tsx'
import { Form, Submit, useProblems } from '#web/ui/Form.tsx'
import { Note } from '#web/ui/Note.tsx'
import styles from './Admin.module.css'
import type { ActionData } from './action-data.ts'
import { localePath } from './paths.ts'

interface Props {
  schedules: ManagedSchedule[]
  hasTimeZone: boolean
  actionData: ActionData | undefined
}

/** The services of a locale: weekly, or by a recurrence rule. */
export function SchedulesSection({ schedules, hasTimeZone, actionData }: Props) {
  const t = useT('manageChurches')
  const dayName = useDayNames()
  const adding = resultOf(actionData, 'schedule', '')
  return (
    <AdminPanel id="schedules" title={t('schedules')}>
      <div className={styles.inPanel}>
        <FlashMessage namespace="manageChurches" isFor={(done) => done.startsWith('schedule')} />
        {!hasTimeZone && schedules.length > 0 && <Note kind="unknown" title={t('no_time_zone')} />}
        {schedules.length === 0 && <p className={styles.muted}>{t('schedules_none')}</p>}
        {schedules.map((schedule) => {
          const changing = resultOf(actionData, 'schedule', schedule.id)
          return (
            <Fold
              key={schedule.id}
              open={changing !== undefined}
              summary={
                <>
                  <span>
                    {schedule.day_of_week !== null ? (
                      dayName(schedule.day_of_week)
                    ) : (
                      <bdi dir="ltr">{schedule.recurrence}</bdi>
                    )}
                    {t('comma')}
                    <bdi dir="ltr">{[schedule.start_time, schedule.end_time].filter(Boolean).join('–')}</bdi>
                    {schedule.end_time && endsNextDay(schedule.start_time, schedule.end_time) && ` ${t('next_day')}`}
                  </span>
                  <span className={styles.muted}>{schedule.title ?? t(`type_${schedule.service_type}`)}</span>
                </>
              }
            >
              <ScheduleForm key={JSON.stringify(schedule)} schedule={schedule} actionData={changing} />
            </Fold>
          )
        })}
        <Fold key={schedules.length} open={adding !== undefined} summary={t('schedule_add')}>
          <ScheduleForm actionData={adding} />
        </Fold>
      </div>
    </AdminPanel>
  )
}

function ScheduleForm({ schedule, actionData }: { schedule?: ManagedSchedule; actionData: ActionData | undefined }) {
  const t = useT('manageChurches')
  const dayName = useDayNames()
  const problem = useProblems(actionData?.error)
  const { id = '' } = useParams()
  const values: FormValues = actionData?.values ?? (schedule ? valuesOf(schedule) : {})
  const field = (name: string) => ({ name, defaultValue: values[name] ?? '', error: problem(name) })
  return (
    <Form action={localePath(id)} error={actionData?.error}>
      <input type="hidden" name="item" value={schedule?.id ?? ''} />
      <div className={styles.inner}>
        <SelectField label={t('service_type')} {...field('service_type')}>
          {SERVICE_TYPES.map((type) => (
            <option key={type} value={type}>
              {t(`type_${type}`)}
            </option>
          ))}
        </SelectField>
        <TextField
          label={t('service_title')}
          hint={t('service_title_hint')}
          maxLength={120}
          dir="auto"
          {...field('title')}
        />
        <SelectField label={t('day_of_week')} {...field('day_of_week')}>
          <option value="">{t('by_rule')}</option>
          {[0, 1, 2, 3, 4, 5, 6].map((day) => (
            <option key={day} value={day}>
              {dayName(day)}
            </option>
          ))}
        </SelectField>
        <TextField
          label={t('recurrence')}
          hint={t('recurrence_hint', { rule: '\u2066FREQ=MONTHLY;BYDAY=-1SA\u2069' })}
          dir="ltr"
          spellCheck={false}
          maxLength={300}
          {...field('recurrence')}
        />
        <TextField label={t('start_time')} hint={t('clock_hint')} type="time" required {...field('start_time')} />
        <TextField label={t('end_time')} hint={t('end_time_hint')} type="time" {...field('end_time')} />
        <TextField label={t('starts_on')} hint={t('starts_on_hint')} type="date" {...field('starts_on')} />
        <TextField label={t('ends_on')} type="date" {...field('ends_on')} />
        <TextField
          label={t('service_language')}
          hint={t('service_language_hint')}
          dir="ltr"
          maxLength={35}
          {...field('language')}
        />
        <TextField label={t('online_url')} type="url" dir="ltr" maxLength={500} {...field('online_url')} />
        <TextField label={t('note')} maxLength={300} dir="auto" {...field('note')} />
        <CheckField
          label={t('is_online')}
          name="is_online"
          defaultChecked={values.is_online === 'on'}
          error={problem('is_online')}
        />
      </div>
      <Buttons>
        <Submit look="secondary" name="intent" value="schedule">
          {t(schedule ? 'save' : 'schedule_add')}
        </Submit>
        {schedule && (
          <Button type="submit" look="link" name="intent" value="remove_schedule">
            {t('schedule_remove')}
          </Button>
        )}
      </Buttons>
    </Form>
  )
}

/** Names of the weekdays in the user's language; 0 is Sunday. */
function useDayNames() {
  const language = useLanguage()
  const format = new Intl.DateTimeFormat(language, { weekday: 'long', timeZone: 'UTC' })
  // 2026-11-01 was a Sunday.
  return (day: number) => format.format(Date.UTC(2026, 10, 1 + day))
}

const valuesOf = (schedule: ManagedSchedule): FormValues => ({
  day_of_week: schedule.day_of_week === null ? '' : String(schedule.day_of_week),
  recurrence: schedule.recurrence ?? '',
  starts_on: schedule.starts_on ?? '',
  ends_on: schedule.ends_on ?? '',
  start_time: schedule.start_time,
  end_time: schedule.end_time ?? '',
  service_type: schedule.service_type,
  title: schedule.title ?? '',
  language: schedule.language ?? '',
  is_online: schedule.is_online ? 'on' : '',
  online_url: schedule.online_url ?? '',
  note: schedule.note ?? '',
})
