import { ROLES } from '#shared/roles.ts'
import { useT } from '../lib/i18n.tsx'
import { Field, SelectField } from '../ui/Field.tsx'

interface Props {
  role: string
  /** Names of the countries where it counts, one on each line. */
  scope: string
  problem: (field: string) => string | undefined
}

/** A role, and where it counts. */
export function RoleFields({ role, scope, problem }: Props) {
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
