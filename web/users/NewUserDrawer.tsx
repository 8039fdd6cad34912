import { useSearchParams } from 'react-router'
import { LANGUAGES } from '#shared/language.ts'
import { CountryOptions } from '../countries/CountryOptions.tsx'
import { useT } from '../lib/i18n.tsx'
import { Buttons } from '../ui/Buttons.tsx'
import { DetailDrawer } from '../ui/DetailDrawer.tsx'
import { SelectField, TextField } from '../ui/Field.tsx'
import { Form, Submit, useProblems } from '../ui/Form.tsx'
import { addressWith } from '../ui/tableAddress.ts'
import { type Posted, postedFor } from './posted.ts'
import { PasswordField } from './RoleChange.tsx'
import { RoleFields } from './RoleFields.tsx'

interface Props {
  posted: Posted | undefined
  countries: { code: string; name: string }[]
}

/** Makes an account for somebody, who is told by mail and chooses the password. */
export function NewUserDrawer({ posted, countries }: Props) {
  const t = useT('users')
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
        <RoleFields
          role={typed?.role ?? 'traveler'}
          scope={[]}
          typed={typed}
          countries={countries}
          isEverywhere={typed?.everywhere === 'yes'}
          scopeReason={typed?.scope_reason ?? ''}
          problem={problem}
        />
        <SelectField
          label={t('country')}
          name="country_code"
          defaultValue={typed?.country_code ?? ''}
          error={problem('country_code')}
        >
          <option value="">{t('none')}</option>
          <CountryOptions countries={countries} />
        </SelectField>
        <SelectField label={t('reads')} name="preferred_language" defaultValue={typed?.preferred_language ?? 'en'}>
          {LANGUAGES.map((language) => (
            <option key={language} value={language}>
              {t(`language_${language}`)}
            </option>
          ))}
        </SelectField>
        {failure?.fields.current_password && <PasswordField failure={failure} />}
        <Buttons>
          <Submit>{t('create')}</Submit>
        </Buttons>
      </Form>
    </DetailDrawer>
  )
}
