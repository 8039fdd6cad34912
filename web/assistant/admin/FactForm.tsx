import type { FormValues } from '#web/lib/form-result.ts'
import { useT } from '#web/lib/i18n.tsx'
import type { FormError } from '#web/lib/visitor.ts'
import { AdminPanel } from '#web/ui/AdminPage.tsx'
import { Buttons } from '#web/ui/Buttons.tsx'
import { CheckField } from '#web/ui/CheckField.tsx'
import { TextField } from '#web/ui/Field.tsx'
import { Form, Submit, useFields, useProblems } from '#web/ui/Form.tsx'
import styles from './Admin.module.css'
import { FactFields } from './FactFields.tsx'

interface Props {
  values: FormValues
  countries: { code: string; name: string }[]
  error: FormError | undefined
  /** The version being edited; absent for a new fact. */
  updatedAt?: string
}

/** Content, source, and wording of a fact. */
export function FactForm({ values, countries, error, updatedAt }: Props) {
  const t = useT('assistantAdmin')
  const isStale = error?.status === 409
  const problem = useProblems(error)
  const field = useFields(values, error)
  return (
    <Form key={error ? 'typed' : updatedAt} error={isStale ? undefined : error} isUnsaved={error !== undefined}>
      <input type="hidden" name="intent" value="save" />
      <input type="hidden" name="kind" value={values.kind} />
      {values.own && <input type="hidden" name="own" value={values.own} />}
      {updatedAt && <input type="hidden" name="updated_at" value={updatedAt} />}
      <FactFields values={values} countries={countries} problem={problem} />
      <AdminPanel id="source" title={t('section_source')}>
        <div className={styles.fields}>
          <TextField label={t('source_title')} dir="auto" maxLength={300} required {...field('source_title')} />
          <TextField
            label={t('source_url')}
            hint={t('source_url_hint')}
            type="text"
            inputMode="url"
            dir="ltr"
            maxLength={1000}
            required
            {...field('source_url')}
          />
          <TextField label={t('checked_on')} type="date" required {...field('checked_on')} />
          <TextField
            label={t('valid_until')}
            hint={t('valid_until_hint')}
            type="date"
            required
            {...field('valid_until')}
          />
        </div>
      </AdminPanel>
      <AdminPanel id="wording" title={t('section_wording')}>
        <div className={styles.fields}>
          <TextField
            label={t('position')}
            hint={t('position_hint')}
            type="number"
            min={0}
            max={10_000}
            {...field('position')}
          />
          <CheckField label={t('is_active')} name="is_active" defaultChecked={values.is_active === 'on'} />
        </div>
      </AdminPanel>
      <Buttons isFoot>
        <Submit>{t(isStale && updatedAt ? 'save_over' : 'save')}</Submit>
      </Buttons>
    </Form>
  )
}
