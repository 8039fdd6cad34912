import type { UserDetail } from '#shared/accounts/users.ts'
import { type ChapterChoice, ChapterOptions } from '#web/churches/ChapterOptions.tsx'
import { useT } from '#web/lib/i18n.tsx'
import { Buttons } from '#web/ui/Buttons.tsx'
import { CountryField } from '#web/ui/CountryField.tsx'
import { Field, SelectField, TextField } from '#web/ui/Field.tsx'
import { Fold } from '#web/ui/Fold.tsx'
import { Form, Submit, useProblems } from '#web/ui/Form.tsx'
import { type ActionData, actionDataFor } from './action-data.ts'
import { CountriesField } from './PlacesField.tsx'

interface Props {
  user: UserDetail
  actionData: ActionData | undefined
  countries: { code: string; name: string }[]
  chapters: ChapterChoice[]
}

/** Administrators' notes, countries and permissions. */
export function DetailsSection({ user, actionData, countries, chapters }: Props) {
  const t = useT('users')
  const { values, error, isOpen } = actionDataFor(actionData, 'details')
  const problem = useProblems(error)
  const permissionProblem = Object.keys(error?.fields ?? {}).find((field) => field.startsWith('permissions'))
  return (
    <Fold open={isOpen} summary={t('notes_and_details')}>
      <Form error={error}>
        <input type="hidden" name="intent" value="details" />
        <Field label={t('notes')} hint={t('notes_hint')} error={problem('admin_notes')}>
          {(control) => (
            <textarea
              {...control}
              name="admin_notes"
              rows={4}
              maxLength={5000}
              dir="auto"
              defaultValue={values?.admin_notes ?? user.admin_notes}
            />
          )}
        </Field>
        <CountryField
          label={t('country')}
          name="country_code"
          defaultValue={values?.country_code ?? user.country_code ?? ''}
          error={problem('country_code')}
          none={t('none')}
          countries={countries}
        />
        <CountriesField
          label={t('goes_to')}
          hint={t('goes_to_hint')}
          name="countries"
          countries={countries}
          chosen={user.countries}
          values={values}
          error={problem('countries')}
        />
        <SelectField
          label={t('chapter')}
          hint={t('chapter_hint')}
          name="chapter_id"
          defaultValue={values?.chapter_id ?? user.chapter?.id ?? ''}
          error={problem('chapter_id')}
        >
          <option value="">{t('none')}</option>
          <ChapterOptions chapters={chapters} />
        </SelectField>
        <TextField
          label={t('permissions')}
          hint={t('permissions_hint')}
          name="permissions"
          dir="ltr"
          autoComplete="off"
          defaultValue={values?.permissions ?? user.permissions.join(' ')}
          error={permissionProblem && problem(permissionProblem)}
        />
        <Buttons>
          <Submit>{t('save')}</Submit>
        </Buttons>
      </Form>
    </Fold>
  )
}
