import { useSearchParams } from 'react-router'
import { LANGUAGES } from '#shared/language.ts'
import { ROLES } from '#shared/roles.ts'
import { useT } from '../lib/i18n.tsx'
import { DetailDrawer } from '../ui/DetailDrawer.tsx'
import { SelectField, TextField } from '../ui/Field.tsx'
import { Form, Submit, useProblems } from '../ui/Form.tsx'
import { addressWith } from '../ui/tableAddress.ts'
import { type Posted, postedFor } from './posted.ts'
import { CountriesField } from './RolePart.tsx'
import styles from './Users.module.css'

interface Props {
  posted: Posted | undefined
  countries: { code: string; name: string }[]
}

/** Makes an account for somebody, who is told by mail and chooses the password. */
export function NewUserDrawer({ posted, countries }: Props) {
  const t = useT('users')
  const tAdmin = useT('admin')
  const [params] = useSearchParams()
  const { typed, failure } = postedFor(posted, 'create')
  const problem = useProblems(failure)
  const text = (name: string) => ({ name, defaultValue: typed?.[name], error: problem(name), required: true })
  return (
    <DetailDrawer
      title={t('new_user')}
      subtitle={t('new_user_hint')}
      closeTo={addressWith(params, { action: null, page: params.get('page') })}
    >
      <Form failure={failure}>
        <input type="hidden" name="intent" value="create" />
        <TextField label={t('first_name')} {...text('first_name')} dir="auto" maxLength={100} autoComplete="off" />
        <TextField label={t('last_name')} {...text('last_name')} dir="auto" maxLength={100} autoComplete="off" />
        <TextField label={t('email')} {...text('email')} type="email" dir="ltr" maxLength={254} autoComplete="off" />
        <SelectField label={t('role')} name="role" defaultValue={typed?.role ?? 'traveler'} error={problem('role')}>
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
          defaultValue={typed?.scope ?? ''}
          error={problem('scope_countries')}
        />
        <SelectField
          label={t('country')}
          name="country_code"
          defaultValue={typed?.country_code ?? ''}
          error={problem('country_code')}
        >
          <option value="">{t('none')}</option>
          {countries.map(({ code, name }) => (
            <option key={code} value={code}>
              {name}
            </option>
          ))}
        </SelectField>
        <SelectField label={t('reads')} name="preferred_language" defaultValue={typed?.preferred_language ?? 'en'}>
          {LANGUAGES.map((language) => (
            <option key={language} value={language}>
              {t(`language_${language}`)}
            </option>
          ))}
        </SelectField>
        <div className={styles.buttons}>
          <Submit>{t('create')}</Submit>
        </div>
      </Form>
    </DetailDrawer>
  )
}
