import type { UserDetail } from '#shared/accounts/users.ts'
import { useT } from '../lib/i18n.tsx'
import { Field, SelectField, TextField } from '../ui/Field.tsx'
import { Form, Submit, useProblems } from '../ui/Form.tsx'
import { type Posted, postedFor } from './posted.ts'
import { type ChapterChoice, CountriesField, chapterLabel } from './RolePart.tsx'
import styles from './Users.module.css'

interface Props {
  user: UserDetail
  posted: Posted | undefined
  countryNames: Record<string, string>
  countries: { code: string; name: string }[]
  chapters: ChapterChoice[]
}

/** Notes of the administrators, countries and permissions. */
export function DetailsPart({ user, posted, countryNames, countries, chapters }: Props) {
  const t = useT('users')
  const { typed, failure, isOpen } = postedFor(posted, 'details')
  const problem = useProblems(failure)
  const permissionProblem = Object.keys(failure?.fields ?? {}).find((field) => field.startsWith('permissions'))
  return (
    <details className={styles.part} open={isOpen}>
      <summary>{t('notes_and_details')}</summary>
      <Form failure={failure}>
        <input type="hidden" name="intent" value="details" />
        <Field label={t('notes')} hint={t('notes_hint')} error={problem('admin_notes')}>
          {(control) => (
            <textarea
              {...control}
              name="admin_notes"
              rows={4}
              maxLength={5000}
              dir="auto"
              defaultValue={typed?.admin_notes ?? user.admin_notes}
            />
          )}
        </Field>
        <SelectField
          label={t('country')}
          name="country_code"
          defaultValue={typed?.country_code ?? user.country_code ?? ''}
          error={problem('country_code')}
        >
          <option value="">{t('none')}</option>
          {countries.map(({ code, name }) => (
            <option key={code} value={code}>
              {name}
            </option>
          ))}
        </SelectField>
        <CountriesField
          label={t('goes_to')}
          hint={t('one_each_line')}
          name="countries"
          defaultValue={typed?.countries ?? user.countries.map((code) => countryNames[code] ?? code).join('\n')}
          error={problem('countries')}
        />
        <SelectField
          label={t('chapter')}
          hint={t('chapter_hint')}
          name="chapter_id"
          defaultValue={typed?.chapter_id ?? user.chapter?.id ?? ''}
          error={problem('chapter_id')}
        >
          <option value="">{t('none')}</option>
          {chapters.map((chapter) => (
            <option key={chapter.id} value={chapter.id}>
              {chapterLabel(chapter)}
            </option>
          ))}
        </SelectField>
        <TextField
          label={t('permissions')}
          hint={t('permissions_hint')}
          name="permissions"
          dir="ltr"
          autoComplete="off"
          defaultValue={typed?.permissions ?? user.permissions.join(' ')}
          error={permissionProblem && problem(permissionProblem)}
        />
        <div className={styles.buttons}>
          <Submit>{t('save')}</Submit>
        </div>
      </Form>
    </details>
  )
}
