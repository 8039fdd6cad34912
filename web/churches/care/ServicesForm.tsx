import { useId } from 'react'
import type { MyChurch } from '#shared/churches/care.ts'
import { SERVICE_TYPES, type ServiceSchedule } from '#shared/churches/schedule.ts'
import type { FormResult } from '#web/lib/form-result.ts'
import { isolated } from '#web/lib/format.ts'
import { useT } from '#web/lib/i18n.tsx'
import { CheckField } from '#web/ui/CheckField.tsx'
import { SelectField, TextField } from '#web/ui/Field.tsx'
import { Fold } from '#web/ui/Fold.tsx'
import { Form, Submit, useProblems } from '#web/ui/Form.tsx'
import styles from './Care.module.css'
import { linesIn } from './lines.ts'

interface Props {
  locale: Pick<MyChurch, 'id'> & {
    version: string
    phone: string | null
    timezone: string | null
    schedules: readonly ServiceSchedule[]
  }
  /** Names of the weekdays, Sunday first. */
  days: readonly string[]
  actionData: FormResult | undefined
}

type Get = (name: string) => string
/** Number of empty rows for further services, also without scripts. */
const EMPTY_LINES = 1

/** All services of a church and its phone number, saved together. */
export function ServicesForm({ locale, days, actionData }: Props) {
  const t = useT('care')
  const problem = useProblems(actionData?.error)
  const values = actionData?.values
  const { id, version, phone, timezone, schedules } = locale
  const numbers = values
    ? Object.keys(values).filter((name) => /^s\d+_time$/.test(name)).length
    : schedules.length + EMPTY_LINES
  // The server only counts the rows it received.
  const lines = values ? linesIn(values) : []
  return (
    <Form error={actionData?.error} preventScrollReset>
      <input type="hidden" name="intent" value="services" />
      <input type="hidden" name="subject" value={id} />
      <input type="hidden" name="version" value={values?.version ?? version} />
      <p className={styles.muted}>{timezone ? t('zone', { zone: isolated(timezone) }) : t('zone_unknown')}</p>
      <TextField
        label={t('phone')}
        name="phone"
        type="tel"
        dir="ltr"
        maxLength={40}
        autoComplete="off"
        className={styles.phone}
        defaultValue={values?.phone ?? phone ?? ''}
        error={problem('phone')}
      />
      {Array.from({ length: numbers }, (_, at) => {
        const schedule = values ? undefined : schedules[at]
        return (
          <Line
            // Rows have no order of their own: they keep the order of the rendered page.
            key={schedule?.id ?? `line ${at}`}
            at={at}
            days={days}
            isNew={values ? !values[`s${at}_id`] : schedule === undefined}
            get={(name) =>
              values ? (values[`s${at}_${name}`] ?? '') : schedule ? fieldOf(schedule, name) : newField(name)
            }
            problem={(name) => problem(`schedules.${lines.indexOf(at)}.${name}`)}
          />
        )
      })}
      <div>
        <Submit>{t('save')}</Submit>
      </div>
    </Form>
  )
}

/** Most services are on Sunday. */
const newField = (name: string) => (name === 'day' ? '0' : '')

function fieldOf(schedule: ServiceSchedule, name: string): string {
  if (name === 'day') return schedule.day_of_week === null ? '' : String(schedule.day_of_week)
  if (name === 'is_online') return schedule.is_online ? 'yes' : ''
  return String(schedule[name as keyof ServiceSchedule] ?? '')
}

interface LineProps {
  at: number
  days: readonly string[]
  isNew: boolean
  get: Get
  problem: (name: string) => string | undefined
}

function Line({ at, days, isNew, get, problem }: LineProps) {
  const t = useT('care')
  const id = useId()
  const named = (name: string) => ({
    name: `s${at}_${name}`,
    defaultValue: get(name),
    error: problem(serverName(name)),
  })
  const hasMore = ['recurrence', 'starts_on', 'ends_on', 'language', 'online_url', 'note', 'is_online'].some(
    (name) => get(name) || problem(name),
  )
  return (
    <fieldset className={styles.line} aria-labelledby={isNew ? id : undefined}>
      {isNew && (
        <legend id={id} className={styles.newLine}>
          {t('service_new')}
        </legend>
      )}
      <input type="hidden" name={`s${at}_id`} value={get('id')} />
      <div className={styles.row}>
        <SelectField label={t('service_day')} {...named('day')}>
          {days.map((day, number) => (
            <option key={day} value={number}>
              {day}
            </option>
          ))}
          <option value="">{t('service_by_rule')}</option>
        </SelectField>
        <TextField label={t('service_time')} type="time" {...named('time')} />
        <TextField label={t('service_end')} type="time" {...named('end_time')} />
        <SelectField label={t('service_type')} {...named('service_type')}>
          {SERVICE_TYPES.map((type) => (
            <option key={type} value={type}>
              {t(`type_${type}`)}
            </option>
          ))}
        </SelectField>
        <TextField label={t('service_title')} dir="auto" maxLength={120} {...named('title')} />
      </div>
      <div className={styles.foot}>
        <Fold look="link" open={hasMore} summary={t('service_more')}>
          <MoreFields at={at} named={named} isOnline={get('is_online') === 'yes'} />
        </Fold>
        {!isNew && (
          <CheckField
            label={t('service_remove')}
            name={`s${at}_remove`}
            value="yes"
            defaultChecked={get('remove') === 'yes'}
          />
        )}
      </div>
    </fieldset>
  )
}

interface MoreFieldsProps {
  at: number
  named: (name: string) => { name: string; defaultValue: string; error: string | undefined }
  isOnline: boolean
}

/** What most services do not need. */
function MoreFields({ at, named, isOnline }: MoreFieldsProps) {
  const t = useT('care')
  return (
    <div className={styles.row}>
      <TextField
        label={t('service_rule')}
        hint={t('service_rule_hint')}
        dir="ltr"
        maxLength={300}
        autoComplete="off"
        spellCheck={false}
        className={styles.wide}
        {...named('recurrence')}
      />
      <TextField label={t('service_from')} type="date" {...named('starts_on')} />
      <TextField label={t('service_to')} type="date" {...named('ends_on')} />
      <TextField label={t('service_language')} dir="ltr" maxLength={35} {...named('language')} />
      <TextField label={t('service_online_url')} type="url" dir="ltr" maxLength={500} {...named('online_url')} />
      <TextField label={t('service_note')} dir="auto" maxLength={300} className={styles.wide} {...named('note')} />
      <CheckField label={t('service_online')} name={`s${at}_is_online`} value="yes" defaultChecked={isOnline} />
    </div>
  )
}

const serverName = (name: string) => (name === 'day' ? 'day_of_week' : name)
