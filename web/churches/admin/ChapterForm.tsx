import { CHAPTER_STATUSES, type Chapter, COMPLIANCE_STATUSES } from '#shared/churches/chapters.ts'
import { type FormValues, resultOf } from '#web/lib/form-result.ts'
import { useT } from '#web/lib/i18n.tsx'
import { AdminPanel } from '#web/ui/AdminPage.tsx'
import { Buttons } from '#web/ui/Buttons.tsx'
import { CheckField } from '#web/ui/CheckField.tsx'
import { CountryField } from '#web/ui/CountryField.tsx'
import { Field, SelectField, TextField } from '#web/ui/Field.tsx'
import { Form, Submit, useProblems } from '#web/ui/Form.tsx'
import styles from './Admin.module.css'
import type { ActionData } from './action-data.ts'
import { PointFields } from './PointFields.tsx'
import { CHAPTERS, chapterPath } from './paths.ts'

interface Props {
  intent: 'create' | 'save'
  values: FormValues
  chapter?: Chapter
  /** Coordinators may edit only contact and counts. */
  isWhole?: boolean
  coordinators: { id: string; display_name: string }[]
  countries: { code: string; name: string }[]
  actionData: ActionData | undefined
  seen?: number
}

export function ChapterForm(props: Props) {
  const { intent, values, chapter, isWhole = true, actionData, seen } = props
  const t = useT('manageChurches')
  const own = resultOf(actionData, intent, '')
  const isStale = own?.error?.code === 'stale'
  const problem = useProblems(own?.error)
  const now = own?.values ?? values
  const field = (name: string, maxLength?: number) => ({
    name,
    defaultValue: now[name] ?? '',
    error: problem(name) ?? problem(`${name}.0`),
    ...(maxLength ? { maxLength } : {}),
  })
  const count = (name: string) => ({ ...field(name), type: 'number', min: 0, max: 10_000_000 })
  return (
    <Form
      key={own ? 'typed' : chapter?.updated_at}
      action={chapter ? chapterPath(chapter.id) : `${CHAPTERS}/new`}
      error={isStale ? undefined : own?.error}
      isUnsaved={own !== undefined}
    >
      <input type="hidden" name="intent" value={intent} />
      {chapter && <input type="hidden" name="made_from" value={chapter.updated_at} />}
      {seen !== undefined && <input type="hidden" name="seen" value={seen} />}
      {isWhole && <Place {...props} now={now} field={field} problem={problem} />}
      <AdminPanel id="contact" title={t('section_contact')}>
        <div className={styles.fields}>
          <TextField label={t('contact_person')} dir="auto" {...field('contact_person', 200)} />
          <TextField label={t('contact_position')} dir="auto" {...field('contact_position', 120)} />
          <TextField label={t('phone')} hint={t('phone_hint')} type="tel" dir="ltr" {...field('contact_phone', 40)} />
          <TextField label={t('email')} type="email" dir="ltr" {...field('contact_email', 320)} />
          <TextField label={t('membership_count')} {...count('membership_count')} />
          <TextField label={t('active_travelers_count')} {...count('active_travelers_count')} />
        </div>
      </AdminPanel>
      {isWhole && <Offers now={now} problem={problem} field={field} />}
      <Buttons isFoot>
        <Submit>{t(isStale ? 'save_over' : intent === 'create' ? 'create' : 'save')}</Submit>
      </Buttons>
    </Form>
  )
}

interface SectionProps {
  now: FormValues
  field: (
    name: string,
    maxLength?: number,
  ) => { name: string; defaultValue: string; error: string | undefined; maxLength?: number }
  problem: (name: string) => string | undefined
}

function Place({
  now,
  field,
  problem,
  coordinators,
  countries,
  chapter,
}: SectionProps & Omit<Props, 'intent' | 'values'>) {
  const t = useT('manageChurches')
  const isListed = !now.coordinator_id || coordinators.some(({ id }) => id === now.coordinator_id)
  return (
    <>
      <AdminPanel id="identity" title={t('section_name')}>
        <div className={styles.fields}>
          <TextField label={t('name')} required dir="auto" {...field('chapter_name', 200)} />
          <SelectField label={t('chapter_status')} {...field('chapter_status')}>
            {CHAPTER_STATUSES.map((status) => (
              <option key={status} value={status}>
                {t(`chapter_${status}`)}
              </option>
            ))}
          </SelectField>
          <SelectField label={t('compliance_status')} {...field('compliance_status')}>
            {COMPLIANCE_STATUSES.map((status) => (
              <option key={status} value={status}>
                {t(`compliance_${status}`)}
              </option>
            ))}
          </SelectField>
          <SelectField label={t('coordinator')} hint={t('coordinator_hint')} {...field('coordinator_id')}>
            <option value="">{t('none')}</option>
            {!isListed && <option value={now.coordinator_id}>{chapter?.coordinator_name ?? now.coordinator_id}</option>}
            {coordinators.map(({ id, display_name }) => (
              <option key={id} value={id}>
                {display_name}
              </option>
            ))}
          </SelectField>
          <CheckField label={t('chapter_is_public')} name="is_public" defaultChecked={now.is_public === 'on'} />
        </div>
      </AdminPanel>
      <AdminPanel id="address" title={t('section_address')}>
        <div className={styles.fields}>
          <TextField label={t('full_address')} dir="auto" {...field('full_address', 500)} />
          <TextField label={t('city')} dir="auto" {...field('city', 120)} />
          <TextField label={t('state_province')} dir="auto" {...field('state_province', 120)} />
          <CountryField label={t('country_code')} {...field('country_code')} none={t('none')} countries={countries} />
        </div>
        <PointFields values={now} problem={problem} />
      </AdminPanel>
    </>
  )
}

/** Lists, one entry per line. */
function Offers({ now, problem, field }: SectionProps) {
  const t = useT('manageChurches')
  return (
    <AdminPanel id="offers" title={t('section_offers')}>
      <div className={styles.fields}>
        {(['facilities', 'special_programs', 'photos_urls'] as const).map((name) => (
          <Field key={name} label={t(name)} hint={t('one_per_line')} error={problem(name) ?? problem(`${name}.0`)}>
            {(control) => (
              <textarea
                {...control}
                name={name}
                rows={3}
                maxLength={5000}
                dir={name === 'photos_urls' ? 'ltr' : 'auto'}
                defaultValue={now[name] ?? ''}
              />
            )}
          </Field>
        ))}
        <TextField
          label={t('languages')}
          hint={t('languages_hint')}
          dir="ltr"
          spellCheck={false}
          {...field('languages_available', 300)}
        />
      </div>
    </AdminPanel>
  )
}
