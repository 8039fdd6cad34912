import type { UserDetail } from '#shared/accounts/users.ts'
import { ROLES } from '#shared/roles.ts'
import { useT } from '../lib/i18n.tsx'
import { classes } from '../ui/classes.ts'
import { Field, SelectField, TextField } from '../ui/Field.tsx'
import { Form, Submit, useProblems } from '../ui/Form.tsx'
import { type Posted, postedFor } from './posted.ts'
import styles from './Users.module.css'

interface Props {
  user: UserDetail
  posted: Posted | undefined
  countryNames: Record<string, string>
  chapters: ChapterChoice[]
}

/** Role, where it counts and until when. */
export function RolePart({ user, posted, countryNames, chapters }: Props) {
  const t = useT('users')
  const tAdmin = useT('admin')
  const { typed, failure, isOpen } = postedFor(posted, 'role')
  const problem = useProblems(failure)
  const places = user.scope_countries?.map((code) => countryNames[code] ?? code).join('\n')
  return (
    <details className={styles.part} open={isOpen}>
      <summary>{t('change_role')}</summary>
      <Form failure={failure}>
        <input type="hidden" name="intent" value="role" />
        <SelectField label={t('role')} name="role" defaultValue={typed?.role ?? user.role} error={problem('role')}>
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
          defaultValue={typed?.scope ?? places ?? ''}
          error={problem('scope_countries')}
        />
        {chapters.length > 0 && (
          <ChaptersField
            chapters={chapters}
            chosen={typed ? (typed.chapters ?? '').split(',') : (user.scope_chapters ?? [])}
            error={problem('scope_chapters')}
          />
        )}
        <TextField
          label={t('ends_on')}
          hint={t('ends_on_hint')}
          type="date"
          name="role_ends_on"
          defaultValue={typed?.role_ends_on ?? user.role_ends_at?.slice(0, 10) ?? ''}
          error={problem('role_ends_on')}
        />
        <TextField
          label={t('reason_kept')}
          name="reason"
          maxLength={500}
          dir="auto"
          defaultValue={typed?.reason}
          error={problem('reason')}
        />
        <div className={styles.buttons}>
          <Submit>{t('change_role')}</Submit>
        </div>
      </Form>
    </details>
  )
}

/** A local chapter as it is chosen. */
export interface ChapterChoice {
  id: string
  chapter_name: string
  city: string | null
}

export const chapterLabel = ({ chapter_name, city }: ChapterChoice) =>
  city ? `${chapter_name} (${city})` : chapter_name

function ChaptersField(props: { chapters: ChapterChoice[]; chosen: string[]; error: string | undefined }) {
  const t = useT('users')
  return (
    <Field label={t('scope_chapters')} hint={t('scope_chapters_hint')} error={props.error}>
      {(control) => (
        <select
          {...control}
          name="chapters"
          multiple
          size={5}
          defaultValue={props.chosen}
          className={classes(control.className, styles.several)}
        >
          {props.chapters.map((chapter) => (
            <option key={chapter.id} value={chapter.id}>
              {chapterLabel(chapter)}
            </option>
          ))}
        </select>
      )}
    </Field>
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
