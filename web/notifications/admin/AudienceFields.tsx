import { isAdmin, type Role } from '#shared/roles.ts'
import { useT } from '#web/lib/i18n.tsx'
import { useUser } from '#web/lib/root-data.ts'
import { translateMessage } from '#web/lib/server-messages.ts'
import { AdminPanel } from '#web/ui/AdminPage.tsx'
import { Button } from '#web/ui/Button.tsx'
import { classes } from '#web/ui/classes.ts'
import { Field, TextField } from '#web/ui/Field.tsx'
import { useProblems } from '#web/ui/Form.tsx'
import styles from './Announcements.module.css'
import type { ActionData } from './announcement-form.server.ts'
import { Choices } from './Choices.tsx'
import { type FormValues, linesOf } from './values.ts'

interface Props extends Pick<Partial<ActionData>, 'error' | 'found'> {
  now: FormValues
  roles: readonly Role[]
  countries: readonly { code: string; name: string }[]
  chapters: readonly { id: string; chapter_name: string }[]
}

/** Up to this many options are shown expanded. */
const FEW = 12

/** Audience of an announcement: recipients must match every non-empty list. */
export function AudienceFields({ now, roles, countries, chapters, error, found }: Props) {
  const t = useT('announcements')
  const tAdmin = useT('admin')
  const user = useUser()
  const problem = useProblems(error)
  const whole = problem('audience')
  return (
    <AdminPanel id="audience" title={t('section_audience')}>
      <div className={styles.in}>
        <p className={styles.hint}>{t('audience_hint')}</p>
        {!isAdmin(user?.role ?? null) && <p className={styles.hint}>{t('within_hint')}</p>}
        {whole && (
          <p className={styles.error} tabIndex={-1} aria-invalid>
            {whole}
          </p>
        )}
        <Choices
          name="roles"
          legend={t('roles')}
          options={roles.map((value) => ({ value, label: tAdmin(`role_${value}`) }))}
          chosen={now.roles ?? []}
          error={problem('audience.roles')}
        />
        {countries.length > 0 && (
          <Choices
            name="countries"
            legend={t('countries')}
            options={countries.map(({ code, name }) => ({ value: code, label: name }))}
            chosen={now.countries ?? []}
            error={problem('audience.countries')}
            isLong={countries.length > FEW}
          />
        )}
        {chapters.length > 0 && (
          <Choices
            name="chapters"
            legend={t('chapters')}
            options={chapters.map(({ id, chapter_name }) => ({ value: id, label: chapter_name }))}
            chosen={now.chapters ?? []}
            error={problem('audience.chapters')}
            isLong={chapters.length > FEW}
          />
        )}
        <RecipientsField now={now} error={error} found={found} />
      </div>
    </AdminPanel>
  )
}

function RecipientsField({ now, error, found }: Pick<Props, 'now' | 'error' | 'found'>) {
  const t = useT('announcements')
  const tForms = useT('forms')
  const lines = [...linesOf(now.people?.[0]), ...(now.found ?? [])]
  const wrong = Object.entries(error?.fields ?? {}).flatMap(([field, text]) => {
    const [, at] = /^audience\.people\.(\d+)$/.exec(field) ?? []
    return at === undefined ? [] : [{ line: lines[Number(at)] ?? '', text }]
  })
  const whole = error?.fields['audience.people']
  return (
    <>
      <Field
        label={t('people')}
        hint={t('users_hint')}
        error={
          wrong.length > 0 ? (
            <ul className={styles.list}>
              {wrong.map(({ line, text }) => (
                <li key={line}>
                  <bdi dir="ltr">{line}</bdi>: {translateMessage(tForms, text)}
                </li>
              ))}
            </ul>
          ) : (
            whole && translateMessage(tForms, whole)
          )
        }
      >
        {({ className, ...control }) => (
          <textarea
            {...control}
            className={classes(className, styles.area)}
            name="people"
            dir="ltr"
            rows={3}
            // Users found and ticked are among the lines from now on.
            defaultValue={lines.join('\n')}
          />
        )}
      </Field>
      <div className={styles.find}>
        <TextField label={t('find')} name="find" type="search" defaultValue={now.find?.[0]} maxLength={200} />
        <Button type="submit" name="intent" value="find" icon="search">
          {t('find_button')}
        </Button>
      </div>
      {found?.length === 0 && <p role="status">{t('find_none')}</p>}
      {found && found.length > 0 && (
        <div role="status">
          <Choices
            name="found"
            legend={t('found')}
            options={found.map(({ name, email }) => ({ value: email, label: `${name} (${email})` }))}
            chosen={[]}
          />
        </div>
      )}
    </>
  )
}
