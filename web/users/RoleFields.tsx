import { ROLES } from '#shared/roles.ts'
import { useT } from '../lib/i18n.tsx'
import { CheckField } from '../ui/CheckField.tsx'
import { Field, SelectField, TextField } from '../ui/Field.tsx'

interface Props {
  role: string
  /** Names of the countries where it counts, one on each line. */
  scope: string
  isEverywhere: boolean
  scopeReason: string
  problem: (field: string) => string | undefined
}

/** A role, and where it counts: in countries, or everywhere by choice and with a reason. */
export function RoleFields({ role, scope, isEverywhere, scopeReason, problem }: Props) {
  const t = useT('users')
  const tAdmin = useT('admin')
  return (
    <>
      <SelectField label={t('role')} name="role" defaultValue={role} error={problem('role')}>
        {ROLES.map((role) => (
          <option key={role} value={role}>
            {tAdmin(`role_${role}`)}
          </option>
        ))}
      </SelectField>
      <CountriesField
        label={t('scope')}
        hint={t('scope_hint')}
        name="scope"
        defaultValue={scope}
        error={problem('scope_countries')}
      />
      <CheckField name="everywhere" value="yes" label={t('scope_everywhere')} defaultChecked={isEverywhere} />
      <TextField
        label={t('scope_reason')}
        hint={t('scope_reason_hint')}
        name="scope_reason"
        maxLength={500}
        dir="auto"
        defaultValue={scopeReason}
        error={problem('scope_reason')}
      />
    </>
  )
}

interface CountriesProps {
  label: string
  hint: string
  name: string
  defaultValue: string
  error: string | undefined
}

/** Countries by name, one on each line. */
export function CountriesField({ label, hint, error, ...area }: CountriesProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => <textarea {...control} {...area} rows={3} maxLength={5000} dir="auto" spellCheck={false} />}
    </Field>
  )
}
